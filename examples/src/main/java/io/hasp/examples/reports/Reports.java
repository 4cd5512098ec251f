package io.hasp.examples.reports;

import io.hasp.DistributedSemaphore;
import io.hasp.Lease;
import io.hasp.LockClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The warehouse bears five queries at a time, whichever instances send them. A small report is one query. A large one begins with
 * three, and goes on with one when it has its data: it gives the other two permits back early.
 */
public final class Reports {
    static final int QUERIES = 5;
    private static final int LARGE = 3;
    private static final int EACH = 6;
    private static final long MILLIS = 20;

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    private Reports() {}

    private void small(DistributedSemaphore queries) throws InterruptedException {
        try (Lease lease = queries.acquire()) {
            query(lease.permits());
        }
    }

    private void large(DistributedSemaphore queries) throws InterruptedException {
        try (Lease all = queries.acquire(LARGE)) {
            query(LARGE);
            try (Lease one = queries.giveBack(all, LARGE - 1)) {
                query(one.permits());
            }
        }
    }

    private void query(int count) throws InterruptedException {
        most.accumulateAndGet(running.addAndGet(count), Math::max);
        try {
            TimeUnit.MILLISECONDS.sleep(MILLIS);
        } finally {
            running.addAndGet(-count);
        }
    }

    /** Makes reports in two instances, and returns the highest number of simultaneous queries. */
    static int most(String uri) throws Exception {
        Reports reports = new Reports();
        ExecutorService threads = Executors.newCachedThreadPool();
        try (LockClient first = LockClient.connect(uri);
                LockClient second = LockClient.connect(uri)) {
            List<Future<?>> all = new ArrayList<>();
            for (LockClient instance : List.of(first, second)) {
                DistributedSemaphore queries = instance.semaphore("warehouse", QUERIES);
                for (int i = 0; i < EACH; i++) {
                    boolean large = i % LARGE == 0;
                    all.add(threads.submit(() -> {
                        if (large) {
                            reports.large(queries);
                        } else {
                            reports.small(queries);
                        }
                        return null;
                    }));
                }
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdown();
        }
        return reports.most.get();
    }

    /**
     * Makes some reports.
     *
     * @param args the URI of a lock service; {@code memory://local} if absent
     * @throws Exception if the lock service fails
     */
    public static void main(String[] args) throws Exception {
        String uri = args.length > 0 ? args[0] : "memory://local";
        System.out.println("at most " + most(uri) + " queries at a time, of " + QUERIES);
    }
}
