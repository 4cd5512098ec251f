package io.hasp;

import io.hasp.spi.LogQueue;
import io.hasp.spi.Timing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Presents the program's clock and scheduler to the engine and the backend. While the given clock throws or goes back, the system's clock
 * counts. If the given scheduler refuses a task, or runs it on the calling thread, the client schedules it. Thread-safe.
 */
final class GivenTiming implements Timing {
    private final ClientTiming given;
    private final Timing system;
    private final Clock monotonic;
    private final Clock wallClock;
    private final AtomicBoolean refused = new AtomicBoolean();
    private final AtomicBoolean withdrawals = new AtomicBoolean();

    /**
     * Wraps the timing of the program.
     *
     * @param system schedules the tasks that the given scheduler does not
     */
    GivenTiming(ClientTiming given, Timing system) {
        this.given = given;
        this.system = system;
        this.monotonic = new Clock(given::nanoTime, true);
        this.wallClock = new Clock(given::wallClockNanos, false);
    }

    private static final class Clock {
        private final LongSupplier given;
        private final boolean monotonic;
        /** Added to the given clock. */
        private long ahead;

        private long latest;
        private long latestOfSystem;
        private boolean begun;
        private boolean logged;

        Clock(LongSupplier given, boolean monotonic) {
            this.given = given;
            this.monotonic = monotonic;
        }

        synchronized long now() {
            latest = read();
            latestOfSystem = System.nanoTime();
            begun = true;
            return latest;
        }

        private long read() {
            long now;
            try {
                now = given.getAsLong() + ahead;
            } catch (RuntimeException | Error broken) {
                if (!begun) {
                    throw broken;
                }
                complain("failed", broken);
                return bySystem();
            }
            if (monotonic && begun && now - latest < 0) {
                complain("went back", null);
                ahead += bySystem() - now;
                return bySystem();
            }
            return now;
        }

        private long bySystem() {
            return latest + (System.nanoTime() - latestOfSystem);
        }

        private void complain(String what, @Nullable Throwable thrown) {
            if (!logged) {
                logged = true;
                LogQueue.log(
                        Level.WARNING,
                        "the given clock " + what + ", and the system's clock counts (logged once)",
                        thrown);
            }
        }
    }

    @Override
    public long nanoTime() {
        return monotonic.now();
    }

    @Override
    public long wallClockNanos() {
        return wallClock.now();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Task once = new Task(task);
        try {
            ClientTiming.@Nullable Timer timer = given.schedule(delay, once);
            if (once.handedOver()) {
                return () -> cancel(timer);
            }
            complain(refused, "ran a task on the thread that handed it over, so the client schedules it", null);
        } catch (RuntimeException | Error broken) {
            // The client's own timer may run it on this very thread.
            once.handedOver();
            complain(refused, "refused a task, so the client schedules it", broken);
        }
        return system.schedule(delay, once);
    }

    private void cancel(ClientTiming.@Nullable Timer timer) {
        try {
            if (timer != null) {
                timer.cancel();
                return;
            }
            complain(withdrawals, "gave no handle to withdraw a task", null);
        } catch (RuntimeException | Error broken) {
            complain(withdrawals, "failed to withdraw a task", broken);
        }
    }

    private static void complain(AtomicBoolean logged, String what, @Nullable Throwable thrown) {
        if (logged.compareAndSet(false, true)) {
            LogQueue.log(Level.WARNING, "the given scheduler " + what + " (logged once)", thrown);
        }
    }

    /** Runs at most once, and never on the calling thread before {@code schedule} returns. */
    private static final class Task implements Runnable {
        private final Runnable task;
        private final Thread from = Thread.currentThread();
        private final AtomicBoolean begun = new AtomicBoolean();
        /** Guarded by {@link #from}, as is the next field. */
        private boolean handedOver;

        private boolean onTheSpot;

        Task(Runnable task) {
            this.task = task;
        }

        boolean handedOver() {
            handedOver = true;
            return !onTheSpot;
        }

        @Override
        public void run() {
            if (Thread.currentThread() == from && !handedOver) {
                onTheSpot = true;
            } else if (begun.compareAndSet(false, true)) {
                task.run();
            }
        }
    }
}
