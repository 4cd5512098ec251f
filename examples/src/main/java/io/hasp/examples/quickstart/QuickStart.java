package io.hasp.examples.quickstart;

import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.TryResult;
import java.time.Duration;
import java.util.Optional;

/** The first minutes with Hasp: the same code on {@code memory://local}, {@code redis://…}, {@code zookeeper://…} and {@code postgresql://…}. */
public final class QuickStart {
    private QuickStart() {}

    /**
     * Takes a lock in each of the ways there are.
     *
     * @param args the URI of a lock service; {@code memory://local} if absent
     * @throws InterruptedException if interrupted
     */
    public static void main(String[] args) throws InterruptedException {
        String uri = args.length > 0 ? args[0] : "memory://local";
        try (LockClient locks = LockClient.connect(uri)) {
            DistributedLock lock = locks.lock("orders/42");

            try (Lease lease = lock.acquire()) { // waits for its turn
                System.out.println("held, with fencing token " + lease.fencingToken());

                Optional<Lease> second = lock.tryAcquire(Duration.ofMillis(50));
                System.out.println("a second holder: " + (second.isPresent() ? "granted" : "refused"));
            }

            int length = lock.call(lease -> "shipped".length()); // acquire, run, release
            System.out.println("worked under the lock: " + length);

            TryResult<String> tried = lock.tryCall(lease -> "ran at once"); // fails fast
            System.out.println(tried.toOptional().orElse("another holder has it"));
        }
    }
}
