package io.hasp.engine;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.LogQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What failed stages failed with. */
public final class Failures {
    private static final int MOST_TRIES = 100;
    private static final int LONGEST_PAUSE = 50;

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
        LogQueue.log(System.Logger.Level.WARNING, "the backend broke its contract: failed with something else", cause);
        return unknown("the backend failed: " + cause, cause);
    }

    static @Nullable BackendFailure ofNullable(@Nullable Throwable thrown) {
        return thrown == null ? null : of(thrown);
    }

    /** An error in this process. */
    static BackendFailure ofClient(Throwable error) {
        LogQueue.log(System.Logger.Level.ERROR, "a request of the lock client failed", error);
        return unknown("the client failed: " + error, error);
    }

    /**
     * Waits a little for memory, which may be there a moment later.
     *
     * @param tries how often it has waited
     * @return false if it is something else that is missing, or if there has been no memory for seconds
     */
    public static boolean mayPass(Throwable broken, int tries) {
        if (!(broken instanceof OutOfMemoryError) || tries >= MOST_TRIES) {
            return false;
        }
        boolean interrupted = Thread.interrupted();
        LockSupport.parkNanos(Math.min(tries + 1, LONGEST_PAUSE) * 1_000_000L);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    /** Makes something without which what is there can't be given back. */
    public static <A, T> T patiently(Function<A, T> make, A of) {
        for (int tries = 0; ; tries++) {
            try {
                return make.apply(of);
            } catch (OutOfMemoryError broken) {
                if (!mayPass(broken, tries)) {
                    throw broken;
                }
            }
        }
    }

    /** The same, also where there is no memory to say what broke. */
    static BackendFailure described(Throwable broken) {
        try {
            return ofClient(broken);
        } catch (Throwable worse) {
            return new BackendFailure(
                    BackendFailure.Kind.UNAVAILABLE,
                    BackendFailure.Outcome.UNKNOWN,
                    "the client failed, and could not say how",
                    null);
        }
    }

    private static BackendFailure unknown(String message, Throwable cause) {
        return new BackendFailure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, message, cause);
    }
}
