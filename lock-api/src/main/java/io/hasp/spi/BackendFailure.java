package io.hasp.spi;

import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A backend could not do what it was asked. Contention is never a failure, and a failure is never contention.
 *
 * <p>Every stage of {@link LockBackend} that fails, fails with this. It has no stack trace of its own: it is made on whatever
 * thread heard of the failure, and callers get an exception with theirs.
 */
public final class BackendFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What went wrong, as far as the reaction to it differs. */
    public enum Kind {
        /** Not reachable, timed out, loading, read-only, out of memory: may pass by itself, so trying again makes sense. */
        UNAVAILABLE,
        /** Credentials or permissions: trying again changes nothing. */
        DENIED,
        /** What is stored under the name is not a lock that this version understands, or a limit of it is reached. */
        INCOMPATIBLE,
        /**
         * The name is a lock of another kind at present, or a semaphore of another size: its holders and waiters asked for another
         * capacity. The message says which; {@link Share#kindOf} has the words.
         */
        OTHER_KIND
    }

    /** What is known about the request's effect. */
    public enum Outcome {
        /** Certainly without effect. */
        NOT_APPLIED,
        /** It may have been applied, or may still be. */
        UNKNOWN
    }

    private final Kind kind;
    private final Outcome outcome;

    /**
     * A failure.
     *
     * @param kind what went wrong
     * @param outcome what is known about the request's effect
     * @param message names the server, what was asked and why it failed, in words for the user: often it is all that is shown
     * @param cause what the client library threw, if it did
     */
    public BackendFailure(Kind kind, Outcome outcome, String message, @Nullable Throwable cause) {
        super(message, cause, true, false);
        this.kind = Objects.requireNonNull(kind, "kind");
        this.outcome = Objects.requireNonNull(outcome, "outcome");
    }

    /**
     * What a stage failed with, without the {@link CompletionException} that dependent stages wrap around it.
     *
     * @param thrown what a callback or {@code join()} got
     * @return its cause if it is such a wrapper, otherwise itself
     */
    public static Throwable causeOf(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    /**
     * What went wrong.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * What is known about the request's effect.
     *
     * @return the outcome
     */
    public Outcome outcome() {
        return outcome;
    }
}
