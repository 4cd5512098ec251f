package io.hasp.examples.moving;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.DistributedLock;
import io.hasp.LockClient;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The move from Redis to ZooKeeper, with old and new instances at work at the same time. */
@Timeout(120)
class BothLocksTest {
    private static final int ROUNDS = 20;

    /** Refuses a token that is not larger than the last one, and two writers at once. */
    private static final class Store {
        private long last;
        private int writers;
        private int writes;

        long write(long token) {
            synchronized (this) {
                assertThat(token).as("token of write " + writes).isGreaterThan(last);
                assertThat(++writers).as("writers at once").isOne();
                last = token;
                writes++;
            }
            LockSupport.parkNanos(100_000);
            synchronized (this) {
                writers--;
                return token;
            }
        }
    }

    private final Store store = new Store();

    @Test
    void old_and_new_instances_exclude_each_other_and_tokens_only_grow() throws Exception {
        try (RedisServer redis = RedisServer.start();
                ZooKeeperServer zookeeper = ZooKeeperServer.start();
                LockClient before = LockClient.connect(redis.uri());
                LockClient after = LockClient.connect("zookeeper://" + zookeeper.connectString())) {
            DistributedLock old = before.lock("orders");
            DistributedLock now = after.lock("orders");
            BothLocks both = new BothLocks(old, now);

            together(List.of(writer(old), mover(both), writer(old)));
            together(List.of(mover(both), mover(both)));
            together(List.of(writer(now), mover(both), writer(now)));

            assertThat(store.writes).isEqualTo(8 * ROUNDS);
        }
    }

    private Callable<Integer> writer(DistributedLock lock) {
        return rounds(() -> lock.call(lease -> store.write(lease.fencingToken())));
    }

    private Callable<Integer> mover(BothLocks both) {
        return rounds(() -> both.call(lease -> store.write(lease.fencingToken())));
    }

    private static Callable<Integer> rounds(Callable<?> round) {
        return () -> {
            for (int i = 0; i < ROUNDS; i++) {
                round.call();
            }
            return ROUNDS;
        };
    }

    private static void together(List<Callable<Integer>> work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(work.size());
        try {
            for (Future<Integer> one : threads.invokeAll(work)) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
