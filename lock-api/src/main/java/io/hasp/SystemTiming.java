package io.hasp;

import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The machine's monotonic clock, and one daemon thread for timers. Withdrawn timers leave nothing in the queue. */
final class SystemTiming implements Timing, AutoCloseable {
    private final ScheduledThreadPoolExecutor timers;

    SystemTiming(String clientId) {
        timers = new ScheduledThreadPoolExecutor(1, EngineThreads.named("hasp-timer-" + clientId));
        timers.setRemoveOnCancelPolicy(true);
        timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        ScheduledFuture<?> future = timers.schedule(task, Durations.nanos(delay), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    @Override
    public void close() {
        timers.shutdownNow();
    }
}
