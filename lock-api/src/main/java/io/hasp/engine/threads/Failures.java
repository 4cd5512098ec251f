package io.hasp.engine.threads;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.LogQueue;
import org.jspecify.annotations.Nullable;

/** Finds the failure behind the exception of a stage. */
public final class Failures {
    private Failures() {}

    /** Removes the wrappers that stages add. */
    public static Throwable causeOf(Throwable thrown) {
        return BackendFailure.causeOf(thrown);
    }

    /** Anything but the contract's exception is the backend's bug, and its outcome is unknown. */
    public static BackendFailure of(Throwable thrown) {
        Throwable cause = causeOf(thrown);
        if (cause instanceof BackendFailure failure) {
            return failure;
        }
        LogQueue.log(System.Logger.Level.WARNING, "the backend broke its contract: failed with something else", cause);
        return new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "the backend failed: " + cause, cause);
    }

    /**
     * The error that ends the client; null if there is none. An error before anything was sent, as in code of the program that a backend
     * calls to connect, is a failure of that call.
     */
    public static @Nullable Error errorIn(Throwable thrown) {
        Throwable cause = causeOf(thrown);
        if (cause instanceof BackendFailure failure && failure.outcome() == BackendFailure.Outcome.UNKNOWN) {
            cause = failure.getCause() == null ? cause : causeOf(failure.getCause());
        }
        return cause instanceof Error error ? error : null;
    }
}
