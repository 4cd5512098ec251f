package io.hasp.examples.quickstart;

import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LockClient;
import java.time.Duration;
import java.util.Optional;

/** What the README shows: taking a lock, trying to, and running work under it. */
final class InTenLines {
    /** Refuses tokens smaller than the largest it has seen. */
    interface Store {
        void write(String order, long token);
    }

    private InTenLines() {}

    @SuppressWarnings("UnusedVariable") // the README names what it gets
    static void run(Store store, String order) throws InterruptedException {
        try (LockClient locks = LockClient.connect("redis://127.0.0.1:6379")) { // or zookeeper://h1:2181,h2:2181
            DistributedLock lock = locks.lock("orders/42");
            try (Lease lease = lock.acquire()) { // waits for its turn
                store.write(order, lease.fencingToken());
            }
            Optional<Lease> maybe =
                    lock.tryAcquire(Duration.ofMillis(200)); // empty = somebody else had it; an outage throws
            int done = lock.call(lease -> transfer(lease.fencingToken())); // acquire, run, release
        }
    }

    private static int transfer(long token) {
        return token > 0 ? 1 : 0;
    }
}
