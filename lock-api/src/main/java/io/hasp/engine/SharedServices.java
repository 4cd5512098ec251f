package io.hasp.engine;

import io.hasp.spi.LockBackend;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** What the drivers of one client share: the backend, the clock, the threads, and who is told. */
final class SharedServices {
    private static final Timing.Timer NOTHING_TO_CANCEL = () -> {};

    final LockBackend backend;
    final EngineThreads threads;
    final Consumer<Notice> notices;
    /** What users wait for. */
    final UnansweredCalls calls = new UnansweredCalls();
    /** Where requests of callers who don't block are made. */
    final RequestExecutor pool;

    /** Whether a driver has something to do that no thread could be had for. */
    volatile boolean stranded;

    private final Timing timing;
    private final long origin;

    SharedServices(LockBackend backend, EngineThreads threads, Consumer<Notice> notices) {
        this.threads = threads;
        this.notices = notices;
        this.pool = new PoolExecutor(threads.requests);
        this.timing = threads.timing;
        this.origin = timing.nanoTime();
        LockBackend watched = new WatchedBackend(new ContractGuard(backend), new Outages(notices, this::now));
        this.backend = TimeLimitedBackend.of(watched, this::now, this::schedule);
    }

    /** Nanoseconds since the client was made: plain comparison is safe, unlike with {@link System#nanoTime}. */
    long now() {
        return timing.nanoTime() - origin;
    }

    /** How far the wall clock is ahead of the other one. */
    long clockDifference() {
        // The wall clock first: a suspension between the two looks like one before both.
        return timing.wallClockNanos() - timing.nanoTime();
    }

    /** Runs a short task, which never calls the backend or the user, on the timer's thread; the delay in nanoseconds. */
    Timing.Timer schedule(long delay, Runnable task) {
        try {
            return timing.schedule(Duration.ofNanos(Math.max(0, delay)), () -> LosslessExecutor.contained(task));
        } catch (RejectedExecutionException e) {
            return NOTHING_TO_CANCEL;
        }
    }
}
