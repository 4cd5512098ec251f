package io.hasp.conformance.rules.support;

import io.hasp.conformance.Hold;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/** Interrupts its registered threads at random moments, one after the other. */
public final class ThreadInterrupter implements AutoCloseable {
    private static final int MOST_NANOS_BETWEEN = 2_000_000;

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final Thread source = new Thread(this::interrupt, "interruptions");
    private volatile boolean stop;

    public ThreadInterrupter() {
        source.setDaemon(true);
        source.start();
    }

    public void to(Thread thread) {
        threads.add(thread);
    }

    /** Gives a hold back. Empty if an interrupt ended that as well: whatever the call says, the lock has to be free soon. */
    public static Optional<Boolean> released(Hold hold) throws Exception {
        try {
            return Optional.of(hold.release());
        } catch (InterruptedException e) {
            return Optional.empty();
        }
    }

    private void interrupt() {
        Random random = new Random(5);
        while (!stop) {
            LockSupport.parkNanos(random.nextInt(MOST_NANOS_BETWEEN));
            if (!threads.isEmpty()) {
                threads.get(random.nextInt(threads.size())).interrupt();
            }
        }
    }

    @Override
    public void close() {
        stop = true;
    }
}
