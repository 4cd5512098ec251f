package io.hasp.conformance.rules;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** How late this machine wakes its threads at present, measured beside a rule that promises something in milliseconds. */
final class MachineLateness implements AutoCloseable {
    private static final long NAP_NANOS = 1_000_000;

    private final Thread sampler = new Thread(this::sample, "lateness");
    private volatile long begun = System.nanoTime();
    private volatile long worst;
    private volatile boolean stop;

    MachineLateness() {
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

    Duration worst() {
        return Duration.ofNanos(Math.max(worst, late()));
    }

    /** A promise about one thread may involve a few that are late one after the other: three times the worst. */
    Duration allowance() {
        return worst().multipliedBy(3);
    }

    @Override
    public void close() {
        stop = true;
    }
}
