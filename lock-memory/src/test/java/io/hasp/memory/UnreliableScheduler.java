package io.hasp.memory;

import io.hasp.ClientTiming;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * A scheduler of a program that breaks its contract at random: it rejects a task, runs it on the spot or twice, gives no handle or one that
 * throws. Thread-safe.
 */
@SuppressWarnings("NullAway") // Null is one of its faults.
final class UnreliableScheduler implements ClientTiming, AutoCloseable {
    private static final int BREAKS_ONE_IN = 3;

    final LongAdder faults = new LongAdder();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        if (ThreadLocalRandom.current().nextInt(BREAKS_ONE_IN) > 0) {
            return later(delay, task);
        }
        faults.increment();
        switch (ThreadLocalRandom.current().nextInt(6)) {
            case 0 -> throw new RejectedExecutionException("by chance");
            case 1 -> {
                later(delay, task);
                throw new IllegalStateException("by chance");
            }
            case 2 -> {
                task.run();
                return () -> {};
            }
            case 3 -> {
                later(delay, task);
                return later(delay, task);
            }
            case 4 -> {
                later(delay, task);
                return null;
            }
            default -> {
                later(delay, task);
                return () -> {
                    throw new IllegalStateException("by chance");
                };
            }
        }
    }

    private Timer later(Duration delay, Runnable task) {
        Future<?> scheduled = thread.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
