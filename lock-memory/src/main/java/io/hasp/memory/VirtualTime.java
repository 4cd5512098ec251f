package io.hasp.memory;

import io.hasp.ClientTiming;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stops until a test advances it. Due tasks then run in order, on the thread that advances it. A test can
 * thus check events after thirty seconds without waiting for them. Thread-safe.
 *
 * <p>A client and its server need the same clock:
 *
 * <pre>{@code
 * VirtualTime time = new VirtualTime();
 * MemoryServer server = new MemoryServer(time);
 * LockClient locks = LockClient.over(server.link(), ClientOptions.defaults().timing(time));
 * }</pre>
 */
public final class VirtualTime implements ClientTiming, Timing {
    /** A scheduled task of a client or a backend. */
    @FunctionalInterface
    public interface VirtualTimer extends ClientTiming.Timer, Timing.Timer {
        @Override
        void cancel();
    }

    private static final long LATEST = Long.MAX_VALUE / 4;

    private record Task(long due, long order, Runnable action) {}

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::due).thenComparingLong(Task::order));
    private long now;
    private long suspended;
    private long order;

    /** Creates a clock at zero. */
    public VirtualTime() {}

    @Override
    public synchronized long nanoTime() {
        return now;
    }

    @Override
    public synchronized long wallClockNanos() {
        return now + suspended;
    }

    @Override
    public synchronized VirtualTimer schedule(Duration delay, Runnable action) {
        Task task = new Task(after(now, delay), order++, action);
        tasks.add(task);
        return () -> cancel(task);
    }

    private synchronized void cancel(Task task) {
        tasks.remove(task);
    }

    /**
     * Advances the clock, task by task. It stops after 73 years.
     *
     * @param duration the time to advance; zero runs tasks that are already due
     * @throws IllegalArgumentException if it is negative or null
     */
    public void advance(Duration duration) {
        long target = after(nanoTime(), notNegative(duration));
        for (Task task = next(target); task != null; task = next(target)) {
            task.action().run();
        }
        jump(target);
    }

    /**
     * Advances the clock without running tasks, as for a paused process; due tasks run with the next {@link #advance}.
     *
     * @param duration the time to advance
     * @throws IllegalArgumentException if it is negative or null
     */
    public synchronized void pause(Duration duration) {
        now = after(now, notNegative(duration));
    }

    /**
     * Advances the wall clock alone, as for a suspended virtual machine.
     *
     * @param duration the time to advance
     * @throws IllegalArgumentException if it is negative or null
     */
    public synchronized void suspend(Duration duration) {
        suspended = after(suspended, notNegative(duration));
    }

    private static Duration notNegative(@Nullable Duration duration) {
        if (duration == null || duration.isNegative()) {
            throw new IllegalArgumentException("duration is " + duration + ": it must be zero or positive");
        }
        return duration;
    }

    /** At most 73 years from zero on: sums of such times do not overflow. */
    private static long after(long moment, Duration delay) {
        long left = LATEST - moment;
        if (delay.isNegative()) {
            return moment;
        }
        return delay.compareTo(Duration.ofNanos(left)) < 0 ? moment + delay.toNanos() : LATEST;
    }

    private synchronized @Nullable Task next(long target) {
        Task first = tasks.peek();
        if (first == null || first.due() > target) {
            return null;
        }
        now = Math.max(now, first.due());
        return tasks.poll();
    }

    private synchronized void jump(long target) {
        now = Math.max(now, target);
    }

    /**
     * Returns the number of scheduled tasks.
     *
     * @return zero when nothing is scheduled
     */
    public synchronized int scheduled() {
        return tasks.size();
    }
}
