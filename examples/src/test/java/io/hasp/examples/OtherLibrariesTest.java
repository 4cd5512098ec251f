package io.hasp.examples;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.MultiLease;
import io.hasp.ReleaseResult;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.redis.RedisBackend;
import io.hasp.zookeeper.ZooKeeperBackend;
import io.hasp.zookeeper.ZooKeeperLocks;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** The calls that docs/migrating.md gives for those of other libraries. */
class OtherLibrariesTest {
    private static final RedisServer REDIS = RedisServer.start();

    private static final LockClient LOCKS = LockClient.connect(REDIS.uri() + "?renewedLease=30s&ordering=fifo");

    private final LockClient locks = LOCKS;
    private final AtomicInteger jobs = new AtomicInteger();

    @Test
    void from_redisson() throws Exception {
        DistributedLock lock = locks.lock("a");
        try (Lease lease = lock.acquire()) {
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
            assertThat(lease.fencingToken()).isPositive();
            assertThat(lock.tryAcquire(Duration.ofMillis(1))).isEmpty();
            lease.release();
        }
        lock.acquireAsync().get().close();
        lock.tryAcquire(Duration.ofSeconds(2)).orElseThrow().close();
        try (Lease fixed = locks.lock("a", LockOptions.defaults().fixedLease(Duration.ofSeconds(30)))
                .tryAcquire(Duration.ofSeconds(2))
                .orElseThrow()) {
            fixed.ensureHeld();
        }
    }

    @Test
    void from_redisson_and_curator_what_is_shared() throws Exception {
        try (Lease reading = locks.readWriteLock("a").read().acquire();
                Lease beside = locks.readWriteLock("a").read().acquire()) {
            assertThat(locks.readWriteLock("a").write().tryAcquire()).isEmpty();
            assertThat(reading.fencingToken()).isNotEqualTo(beside.fencingToken());
        }
        locks.election("leader").run(term -> lead());
        boolean led = locks.lock("leader").call(lease -> lead());
        assertThat(led).isTrue();
        Lock write = locks.readWriteLock("a").asReadWriteLock().writeLock();
        assertThat(write.tryLock()).isTrue();
        write.unlock();
        try (Lease lease = locks.semaphore("a", 8).acquire()) {
            assertThat(locks.semaphore("a", 8).tryAcquire(8)).isEmpty();
            assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        }
    }

    @Test
    void from_redisson_and_curator_several_at_once() throws Exception {
        DistributedLock a = locks.lock("a");
        DistributedLock b = locks.lock("b");
        try (MultiLease both = locks.allOf(a, b).acquire()) {
            assertThat(b.tryAcquire()).isEmpty();
            assertThat(both.fencingToken("a")).isPositive();
        }
    }

    @Test
    void with_your_redisson() throws Exception {
        Config config = new Config();
        config.useSingleServer().setAddress(REDIS.uri());
        RedissonClient redisson = Redisson.create(config);
        try {
            try (LockClient over = LockClient.over(RedisBackend.onRedisson(redisson), ClientOptions.defaults())) {
                assertThat(over.lock("a").tryCall(lease -> "worked").toOptional())
                        .contains("worked");
            }
            assertThat(redisson.isShutdown()).isFalse();
        } finally {
            redisson.shutdown();
        }
    }

    @Test
    void with_your_lettuce() throws Exception {
        RedisURI uri = RedisURI.create(REDIS.uri());
        RedisClient client = RedisClient.create(uri);
        try {
            try (LockClient over = LockClient.over(RedisBackend.onLettuce(client, uri), ClientOptions.defaults())) {
                assertThat(over.lock("a").tryCall(lease -> "worked").toOptional())
                        .contains("worked");
            }
            assertThat(client.connect().sync().ping()).isEqualTo("PONG");
        } finally {
            client.shutdown();
        }
    }

    @Test
    void with_your_curator() throws Exception {
        try (ZooKeeperServer zookeeper = ZooKeeperServer.start();
                CuratorFramework curator =
                        CuratorFrameworkFactory.newClient(zookeeper.connectString(), new RetryOneTime(100))) {
            curator.start();
            curator.blockUntilConnected();
            try (LockClient over = LockClient.over(
                    ZooKeeperBackend.on(curator, ZooKeeperLocks.defaults()), ClientOptions.defaults())) {
                assertThat(over.lock("a").tryCall(lease -> "worked").toOptional())
                        .contains("worked");
            }
            assertThat(curator.getZookeeperClient().isConnected()).isTrue();
        }
    }

    @Test
    void from_curator_and_spring() throws Exception {
        DistributedLock lock = locks.lock("a");
        assertThat(lock.asReentrantLock().tryLock(2, SECONDS)).isTrue();
        Lock again = locks.lock("a").asReentrantLock();
        assertThat(again.tryLock()).isTrue();
        assertThat(lock.asReentrantLock().isHeldByCurrentThread()).isTrue();
        assertThat(lock.asReentrantLock().getHoldCount()).isEqualTo(2);
        lock.asReentrantLock().lease().orElseThrow().ensureHeld();
        again.unlock();
        again.unlock();

        List<LeaseState> seen = new CopyOnWriteArrayList<>();
        Executor executor = Runnable::run;
        Consumer<LeaseState> listener = seen::add;
        try (Lease lease = lock.acquire()) {
            lease.onChange(executor, listener);
            lease.ensureHeld();
        }
        await().untilAsserted(() -> assertThat(seen).containsExactly(LeaseState.RELEASED));
        String result = locks.lock("a").call(lease -> task());
        assertThat(result).isEqualTo("done");
    }

    @Test
    void from_shedlock() throws Exception {
        assertThat(locks.lock("a").tryCall(lease -> task()).toOptional()).contains("done");
        try (Lease capped = locks.lock("a", LockOptions.defaults().maxHold(Duration.ofMinutes(10)))
                .acquire()) {
            assertThat(locks.lock("a").tryCall(lease -> task()).ran()).isFalse();
            capped.ensureHeld();
        }
        try (Lease lease = locks.lock("a", LockOptions.defaults().fixedLease(Duration.ofMinutes(1)))
                .acquire()) {
            lease.extend(Duration.ofMinutes(5));
            assertThat(lease.remaining()).isGreaterThan(Duration.ofMinutes(4));
        }
        assertThat(locks.lock("b", LockOptions.defaults().takenAtLeast(Duration.ofMinutes(1)))
                        .tryRun(lease -> job()))
                .isTrue();
        assertThat(locks.lock("b").tryRun(lease -> job())).isFalse();
    }

    @Test
    void from_shedlock_for_work_without_a_result() throws Exception {
        assertThat(locks.lock("a").tryRun(lease -> job())).isTrue();
        locks.lock("a").run(lease -> job());
        try (Lease held = locks.lock("a").acquire()) {
            assertThat(locks.lock("a").tryRun(lease -> job())).isFalse();
            assertThat(held.state()).isEqualTo(LeaseState.HELD);
        }
        assertThat(jobs).hasValue(2);
    }

    private void job() {
        jobs.incrementAndGet();
    }

    private static boolean lead() {
        return true;
    }

    private static String task() {
        return "done";
    }

    @AfterAll
    static void stop() {
        LOCKS.close();
        REDIS.close();
    }
}
