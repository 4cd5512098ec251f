package io.hasp;

import io.hasp.spi.BackendFailure;

/**
 * The backend did not do what it was asked: it is down, slow, refuses the credentials, or stores something else under the
 * name. Never thrown for contention. The caller holds nothing; what the failed request may have left behind is released in
 * the background, or ends with its lease or session.
 */
public final class BackendUnavailableException extends LockException {
    private static final long serialVersionUID = 1L;

    private final BackendFailure failure;

    BackendUnavailableException(String message, BackendFailure failure) {
        super(message, failure);
        this.failure = failure;
    }

    /**
     * Whether trying again may help.
     *
     * @return what went wrong, as far as the reaction to it differs
     */
    public BackendFailure.Kind kind() {
        return failure.kind();
    }

    /**
     * Whether the request may have had an effect on the server for a while.
     *
     * @return {@link BackendFailure.Outcome#UNKNOWN} if it may
     */
    public BackendFailure.Outcome outcome() {
        return failure.outcome();
    }
}
