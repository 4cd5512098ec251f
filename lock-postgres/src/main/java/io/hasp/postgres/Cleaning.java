package io.hasp.postgres;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.LogQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Removes the rows of unused names, in small steps. A client makes one step for a number of its releases, so names are removed faster than
 * they are used, and an idle client does nothing. Thread-safe.
 */
final class Cleaning {
    private static final int RELEASES = 128;
    private static final int NAMES = 512;

    private final LockCalls calls;
    private final Executor executor;
    private final AtomicInteger releases = new AtomicInteger();
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile String behind = "";

    Cleaning(LockCalls calls, Executor executor) {
        this.calls = calls;
        this.executor = executor;
    }

    /** Counts a release, and begins a step now and then. */
    void released() {
        if (releases.incrementAndGet() % RELEASES == 0 && running.compareAndSet(false, true)) {
            try {
                executor.execute(this::step);
            } catch (RejectedExecutionException e) {
                running.set(false);
            }
        }
    }

    private void step() {
        try {
            behind = calls.clean(behind, NAMES);
        } catch (BackendFailure e) {
            LogQueue.log(System.Logger.Level.DEBUG, "unused rows stay until the next removal", e);
        } finally {
            running.set(false);
        }
    }
}
