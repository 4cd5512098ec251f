package io.hasp.evaluation.process;

import io.hasp.conformance.LockUser;
import io.hasp.evaluation.measure.Workload;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads that wait for locks which another client holds, each for one of its own. */
final class Waiters {
    static final int COUNT = 100;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** By then all wait. It is a fixed time, because a lock that polls never becomes quiet. */
    private static final Duration SETTLING = Duration.ofSeconds(1);

    private Waiters() {}

    /** They wait until their process ends. */
    static void queue(LockUser client, Workload workload) throws InterruptedException {
        int count = Math.min(COUNT, workload.locks());
        ExecutorService threads = Executors.newFixedThreadPool(count);
        for (int lock = 0; lock < count; lock++) {
            String name = workload.lockName(lock);
            Future<?> ignored = threads.submit(() -> client.tryAcquire(name, PATIENCE));
        }
        threads.shutdown();
        TimeUnit.NANOSECONDS.sleep(SETTLING.toNanos());
    }
}
