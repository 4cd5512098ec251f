package io.hasp;

import io.hasp.spi.BackendFailure;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The backend did not do what it was asked: it is down, slow, refuses the credentials, or stores something else under the
 * name. Never thrown for contention. The caller holds nothing; what the failed request may have left behind is released in
 * the background, or ends with its lease or session.
 *
 * <p>The message names the lock, the server and the reason, and the stack trace is the caller's. An outage fails every call
 * of a program that may print each of them, and what the client library threw adds dozens of lines on its own threads and
 * nothing that helps: so it is the cause only while the logger {@code io.hasp} logs at {@code DEBUG}. An {@link Error} and an
 * exception such as {@link NullPointerException}, which tell of a fault in a program and not of an outage, are always kept.
 */
public final class BackendUnavailableException extends LockException {
    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger("io.hasp");

    private final BackendFailure failure;

    BackendUnavailableException(String message, BackendFailure failure) {
        super(message, explains(failure.getCause()) ? failure : null);
        this.failure = failure;
    }

    /** Whether it says more than the message does. */
    private static boolean explains(@Nullable Throwable cause) {
        return cause != null && (isFault(cause) || LOG.isLoggable(System.Logger.Level.DEBUG));
    }

    private static boolean isFault(Throwable cause) {
        boolean ofTheJdk = cause.getClass().getName().startsWith("java.");
        return cause instanceof Error
                || (ofTheJdk && cause instanceof RuntimeException && !(cause instanceof UncheckedIOException));
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
