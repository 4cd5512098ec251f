package io.hasp.conformance.rules;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Measures how late the machine wakes threads while a rule with bounds in milliseconds runs. Thread-safe. */
public final class MachineLateness implements AutoCloseable {
    private static final long NAP_NANOS = 1_000_000;

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
            worst = Math.max(worst, late());
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
     * What to add to a promise: it may involve a few threads that are late one after the other.
     *
     * @return three times the worst
     */
    public Duration allowance() {
        return worst().multipliedBy(3);
    }

    @Override
    public void close() {
        stop = true;
    }
}
