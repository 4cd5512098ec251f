package io.hasp.spi;

import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Reports that a backend did not serve a request. Contention is never a failure, and a failure is never contention.
 *
 * <p>Every failing stage of {@link LockBackend} fails with this exception. It has no stack trace of its own: it is created on the thread
 * that found the failure, and callers get an exception with their own stack.
 */
public final class BackendFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Classifies a failure by the reaction to it. */
    public enum Kind {
        /** Not reachable, timed out, loading, read-only or out of memory. May pass by itself, so a retry makes sense. */
        UNAVAILABLE,
        /** Credentials or permissions are wrong. A retry changes nothing. */
        DENIED,
        /** The value under the name is not a lock that this version understands, or has reached a limit. */
        INCOMPATIBLE,
        /**
         * The name is a lock of another kind at present, or a semaphore of another size: its holders and waiters requested another
         * capacity. The message has the kind; {@link Share#kindOf} has the words.
         */
        OTHER_KIND
    }

    /** Describes the effect of the request. */
    public enum Outcome {
        /** Certainly without effect. */
        NOT_APPLIED,
        /** The request may have been applied, or may still be. */
        UNKNOWN
    }

    private final Kind kind;
    private final Outcome outcome;

    /**
     * Creates a failure.
     *
     * @param kind the kind
     * @param outcome the effect of the request
     * @param message the server, the request and the reason, in words for the user, who often sees nothing else
     * @param cause the exception of the client library, if there is one
     */
    public BackendFailure(Kind kind, Outcome outcome, String message, @Nullable Throwable cause) {
        super(message, cause, true, false);
        this.kind = Objects.requireNonNull(kind, "kind");
        this.outcome = Objects.requireNonNull(outcome, "outcome");
    }

    /**
     * Returns the failure of a stage, without the {@link CompletionException} that dependent stages wrap around it.
     *
     * @param thrown the exception that a callback or {@code join()} received
     * @return its cause if it is such a wrapper, otherwise itself
     */
    public static Throwable causeOf(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    /**
     * Returns the kind of the failure.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * Returns the effect of the request.
     *
     * @return the outcome
     */
    public Outcome outcome() {
        return outcome;
    }
}
