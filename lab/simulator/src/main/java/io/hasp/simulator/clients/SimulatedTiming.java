package io.hasp.simulator.clients;

import io.hasp.ClientTiming;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The clock and the timers of one client, on the run's virtual time. A timer that is due fires when the scheduler takes it. */
public final class SimulatedTiming implements ClientTiming {
    private record Task(long due, long order, Runnable action, String setBy) {}

    private static final Comparator<Task> BY_DUE_TIME =
            Comparator.comparingLong(Task::due).thenComparingLong(Task::order);
    private static final Set<String> PASSING_ON = Set.of("setBy", "schedule");
    private static final StackWalker STACK = StackWalker.getInstance();

    private final LongSupplier clock;
    private final boolean traced;
    private final PriorityQueue<Task> tasks = new PriorityQueue<>(BY_DUE_TIME);
    private long order;
    private long firedAt = Long.MIN_VALUE;
    private int firedAtOnce;
    /** The time for which the clock stood still, all in all. */
    private long suspended;
    /** The time that the clock shows while it stands still. */
    private long stoodAt = Long.MIN_VALUE;

    /** In a traced run each timer has the name of the method that set it. */
    SimulatedTiming(LongSupplier clock, boolean traced) {
        this.clock = clock;
        this.traced = traced;
    }

    @Override
    public long nanoTime() {
        return Math.max(stoodAt, clock.getAsLong() - suspended);
    }

    @Override
    public long wallClockNanos() {
        return clock.getAsLong();
    }

    /** The clock stands still for that long, and then goes on. */
    void suspend(long nanos) {
        stoodAt = nanoTime();
        suspended += nanos;
    }

    @Override
    public Timer schedule(Duration delay, Runnable action) {
        Task task = new Task(nanoTime() + Math.max(0, delay.toNanos()), order++, action, traced ? setBy() : "");
        tasks.add(task);
        return () -> tasks.remove(task);
    }

    /** The method that sets a timer, behind those that pass it on. */
    private static String setBy() {
        return STACK.walk(frames -> frames.filter(frame -> !PASSING_ON.contains(frame.getMethodName()))
                .findFirst()
                .map(frame -> " by " + simpleName(frame.getClassName()) + "." + frame.getMethodName())
                .orElse(""));
    }

    private static String simpleName(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }

    /** Returns the moment at which the first timer is due; {@code Long.MAX_VALUE} without a timer. */
    public long nextDue() {
        Task first = tasks.peek();
        return first == null ? Long.MAX_VALUE : first.due() + suspended;
    }

    public boolean isDue() {
        return nextDue() <= clock.getAsLong();
    }

    /** Takes the first timer. */
    @Nullable
    public Runnable take() {
        Task first = tasks.poll();
        long now = clock.getAsLong();
        firedAtOnce = now == firedAt ? firedAtOnce + 1 : 1;
        firedAt = now;
        return first == null ? null : first.action();
    }

    /** The number of timers that have fired at the present moment. */
    public int firedAtOnce() {
        return firedAtOnce;
    }

    /** Returns the moment at which each timer is due, and in a traced run the method that set it. The first timer comes first. */
    public List<String> describe() {
        long now = nanoTime();
        return tasks.stream()
                .sorted(BY_DUE_TIME)
                .map(task -> "due in " + Duration.ofNanos(task.due() - now) + task.setBy())
                .toList();
    }

    /** The number of timers that are set. */
    public int scheduled() {
        return tasks.size();
    }
}
