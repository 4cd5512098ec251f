package io.hasp.conformance.rules.support;

import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LockClient;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Measures the cost of a client that keeps locks and is otherwise idle. Not thread-safe. */
public final class IdleKeeper {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /** Attempts in progress at a time: fewer than a server allows to wait. */
    private static final int AT_ONCE = 500;

    private IdleKeeper() {}

    /**
     * Acquires and releases locks, each once.
     *
     * @param client keeps them after that
     * @param names how many
     * @throws Exception if one fails
     */
    public static void use(LockClient client, int names) throws Exception {
        List<CompletableFuture<?>> uses = new ArrayList<>();
        for (int i = 0; i < names; i++) {
            DistributedLock lock = client.lock("idle/" + i);
            uses.add(lock.acquireAsync().thenCompose(Lease::releaseAsync));
            if (uses.size() == AT_ONCE || i == names - 1) {
                CompletableFuture.allOf(uses.toArray(CompletableFuture[]::new)).get(1, TimeUnit.MINUTES);
                uses.clear();
            }
        }
    }

    /**
     * The processor time that the other threads of this process need in a while. What the compiler and the garbage collector
     * need is not in it.
     *
     * @param time how long to wait
     * @return as a share of one core
     * @throws InterruptedException if the wait is interrupted
     */
    public static double shareOfCore(Duration time) throws InterruptedException {
        Map<Long, Long> before = times();
        long start = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
        long used = 0;
        for (Map.Entry<Long, Long> thread : times().entrySet()) {
            used += thread.getValue() - before.getOrDefault(thread.getKey(), 0L);
        }
        return (double) used / (System.nanoTime() - start);
    }

    private static Map<Long, Long> times() {
        Map<Long, Long> times = new HashMap<>();
        for (long id : THREADS.getAllThreadIds()) {
            long time = THREADS.getThreadCpuTime(id);
            if (time >= 0 && id != Thread.currentThread().getId()) {
                times.put(id, time);
            }
        }
        return times;
    }
}
