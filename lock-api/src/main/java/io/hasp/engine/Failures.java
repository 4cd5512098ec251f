package io.hasp.engine;

import io.hasp.spi.BackendFailure;
import org.jspecify.annotations.Nullable;

/** What failed stages failed with. */
public final class Failures {
    private static final System.Logger LOG = System.getLogger("io.hasp");

    private Failures() {}

    /** Without the wrapping of the stages behind it. */
    public static Throwable causeOf(Throwable thrown) {
        return BackendFailure.causeOf(thrown);
    }

    /** Anything but the contract's exception is the backend's bug, and its outcome is unknown. */
    public static BackendFailure of(Throwable thrown) {
        Throwable cause = causeOf(thrown);
        if (cause instanceof BackendFailure failure) {
            return failure;
        }
        log(System.Logger.Level.WARNING, "the backend broke its contract: failed with something else", cause);
        return unknown("the backend failed: " + cause, cause);
    }

    static @Nullable BackendFailure ofNullable(@Nullable Throwable thrown) {
        return thrown == null ? null : of(thrown);
    }

    /** An error in this process. */
    static BackendFailure ofClient(Throwable error) {
        log(System.Logger.Level.ERROR, "a request of the lock client failed", error);
        return unknown("the client failed: " + error, error);
    }

    /** A logger of the program's may throw: nobody is left to tell that, and what was under way goes on. */
    static void log(System.Logger.Level level, String what, Throwable thrown) {
        try {
            LOG.log(level, what, thrown);
        } catch (Throwable broken) {
            // See above.
        }
    }

    private static BackendFailure unknown(String message, Throwable cause) {
        return new BackendFailure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, message, cause);
    }
}
