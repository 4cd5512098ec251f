package io.hasp.conformance.rules.support;

import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;

/** Measures how late the machine wakes threads while a rule with bounds in milliseconds runs. Thread-safe. */
public final class MachineLateness implements AutoCloseable {
    private static final long NAP_NANOS = 1_000_000;

    /** A shorter delay is not remembered. */
    private static final long REMEMBERED_NANOS = 10_000_000;

    private static final int THREADS = 3;

    /** The delay of the thread, by the moment when it ran again. */
    private final NavigableMap<Long, Long> delays = new ConcurrentSkipListMap<>();

    private final Thread sampler = new Thread(this::sample, "lateness");
    private volatile long begun = System.nanoTime();
    private volatile long worst;
    private volatile boolean stop;

    /** Measures from now on until it is closed. */
    public MachineLateness() {
        sampler.setDaemon(true);
        sampler.start();
    }

    private void sample() {
        while (!stop) {
            begun = System.nanoTime();
            LockSupport.parkNanos(NAP_NANOS);
            long late = late();
            worst = Math.max(worst, late);
            if (late > REMEMBERED_NANOS) {
                delays.put(System.nanoTime(), late);
            }
        }
    }

    /** Of the nap that has not ended yet: after a standstill other threads may run before this one. */
    private long late() {
        return System.nanoTime() - begun - NAP_NANOS;
    }

    /**
     * The worst until now.
     *
     * @return how much later than it should one thread ran again
     */
    public Duration worst() {
        return Duration.ofNanos(Math.max(worst, late()));
    }

    /**
     * Returns the time to add to a promise: the promise may involve a few threads that are late one after the other.
     *
     * @return three times the worst
     */
    public Duration allowance() {
        return worst().multipliedBy(THREADS);
    }

    /**
     * Returns the time to add to a promise about a past interval.
     *
     * @param from the interval's begin on {@link System#nanoTime}
     * @param to its end
     * @return the sum of all delays in the interval, except those below 10 ms
     */
    public Duration allowance(long from, long to) {
        return sum(delays, from, to);
    }

    static Duration sum(NavigableMap<Long, Long> delays, long from, long to) {
        long sum = 0;
        for (Map.Entry<Long, Long> delay : delays.tailMap(from).entrySet()) {
            long end = Math.min(delay.getKey(), to);
            long begin = Math.max(delay.getKey() - delay.getValue(), from);
            sum += Math.max(0, end - begin);
        }
        return Duration.ofNanos(sum);
    }

    @Override
    public void close() {
        stop = true;
    }
}
