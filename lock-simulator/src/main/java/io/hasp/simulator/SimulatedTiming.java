package io.hasp.simulator;

import io.hasp.ClientTiming;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The timers of one client on the world's time. A timer that is due fires when the world takes it. */
final class SimulatedTiming implements ClientTiming {
    private record Task(long due, long order, Runnable action) {}

    private final LongSupplier clock;
    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::due).thenComparingLong(Task::order));
    private long order;
    private long firedAt = Long.MIN_VALUE;
    private int firedAtOnce;

    SimulatedTiming(LongSupplier clock) {
        this.clock = clock;
    }

    @Override
    public long nanoTime() {
        return clock.getAsLong();
    }

    @Override
    public Timer schedule(Duration delay, Runnable action) {
        Task task = new Task(clock.getAsLong() + Math.max(0, delay.toNanos()), order++, action);
        tasks.add(task);
        return () -> tasks.remove(task);
    }

    /** When the first timer is due; the largest number if there is none. */
    long nextDue() {
        Task first = tasks.peek();
        return first == null ? Long.MAX_VALUE : first.due();
    }

    boolean isDue() {
        return nextDue() <= clock.getAsLong();
    }

    /** Takes the first timer. */
    @Nullable
    Runnable take() {
        Task first = tasks.poll();
        long now = clock.getAsLong();
        firedAtOnce = now == firedAt ? firedAtOnce + 1 : 1;
        firedAt = now;
        return first == null ? null : first.action();
    }

    /** How many timers were taken at this moment. */
    int firedAtOnce() {
        return firedAtOnce;
    }

    int scheduled() {
        return tasks.size();
    }
}
