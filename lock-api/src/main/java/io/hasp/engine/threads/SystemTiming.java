package io.hasp.engine.threads;

import io.hasp.spi.ClientThreads;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The machine's monotonic clock, and one daemon thread for timers.
 *
 * <p>Most timers guard an answer that comes in time, and are withdrawn. Withdrawn ones are removed many at once: without
 * them the queue would often be empty, so that each new timer were the first, for which the thread has to wake and look.
 */
final class SystemTiming implements Timing, AutoCloseable {
    private static final int WITHDRAWN_AT_MOST = 1_000;

    private final ScheduledThreadPoolExecutor timers;
    private final AtomicInteger withdrawn = new AtomicInteger();

    private final FailStop failStop;
    private volatile @Nullable Thread thread;

    SystemTiming(String clientId, FailStop failStop) {
        this.failStop = failStop;
        ThreadFactory named = ClientThreads.named("hasp-timer-" + clientId);
        timers = new ScheduledThreadPoolExecutor(1, task -> {
            Thread timer = named.newThread(task);
            timer.setUncaughtExceptionHandler((died, broken) -> failStop.fail(broken));
            thread = timer;
            return timer;
        });
        timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long wallClockNanos() {
        return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        ScheduledFuture<?> future = timers.schedule(() -> failStop.run(task), Nanos.of(delay), TimeUnit.NANOSECONDS);
        return () -> {
            if (future.cancel(false) && withdrawn.incrementAndGet() % WITHDRAWN_AT_MOST == 0) {
                timers.purge();
            }
        };
    }

    boolean onTimer() {
        return Thread.currentThread() == thread;
    }

    @Override
    public void close() {
        timers.shutdownNow();
    }
}
