package io.hasp.evaluation.process;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.measure.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads that wait for locks which another client holds, each for one of its own. */
final class Waiters {
    /** How many there are. */
    static final int COUNT = 100;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Until all are in the queue: whoever retries all the time never looks quiet. */
    private static final Duration SETTLING = Duration.ofSeconds(1);

    private final List<Future<Boolean>> waiting = new ArrayList<>();

    /** They give back what they get at once. */
    void queue(LockUser client, Workload workload) throws InterruptedException {
        int count = Math.min(COUNT, workload.locks());
        ExecutorService threads = Executors.newFixedThreadPool(count);
        for (int lock = 0; lock < count; lock++) {
            String name = workload.lockName(lock);
            waiting.add(threads.submit(() -> {
                Hold hold = client.tryAcquire(name, PATIENCE)
                        .orElseThrow(() -> new IllegalStateException("a waiter did not get its lock"));
                return hold.release();
            }));
        }
        threads.shutdown();
        TimeUnit.NANOSECONDS.sleep(SETTLING.toNanos());
    }

    void await() throws ExecutionException, InterruptedException {
        for (Future<Boolean> waiter : waiting) {
            waiter.get();
        }
        waiting.clear();
    }
}
