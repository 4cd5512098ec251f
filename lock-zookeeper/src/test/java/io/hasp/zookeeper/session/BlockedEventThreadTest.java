package io.hasp.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Timing;
import io.hasp.zookeeper.ZooKeeperBackend;
import io.hasp.zookeeper.ZooKeeperLocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Test;

/** An application that blocks a callback of its Curator client, and so the thread that delivers all answers. */
@InTier(Tier.STANDARD)
class BlockedEventThreadTest {
    private static final int SESSION_MILLIS = 6_000;
    private static final Timing AT_ONCE = new Timing() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            task.run();
            return () -> {};
        }
    };

    @Test
    void a_silent_server_of_one_client_delays_no_confirmation_of_another() throws Exception {
        CountDownLatch silence = new CountDownLatch(1);
        try (ZooKeeperServer server = ZooKeeperServer.start();
                CuratorFramework curator = CuratorFrameworkFactory.newClient(
                        server.connectString(), SESSION_MILLIS, SESSION_MILLIS, new RetryOneTime(100))) {
            curator.start();
            await().until(curator.getZookeeperClient()::isConnected);
            Session session =
                    new Session(curator.getZookeeperClient().getZooKeeper(), ZooDefs.Ids.OPEN_ACL_UNSAFE, AT_ONCE);
            BlockedEventThread silent = new BlockedEventThread(session, AT_ONCE);
            for (int i = 0; i < 20; i++) {
                silent.orBlocking(new CompletableFuture<>(), () -> {
                    awaitQuietly(silence);
                    return CompletableFuture.completedFuture("late");
                });
            }

            assertThat(new BlockedEventThread(session, AT_ONCE)
                            .orBlocking(
                                    new CompletableFuture<>(), () -> CompletableFuture.completedFuture("confirmed")))
                    .succeedsWithin(Duration.ofSeconds(10));
        } finally {
            silence.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void le5_leases_outlive_a_callback_of_the_application_that_blocks_for_longer_than_the_session() throws Exception {
        CountDownLatch unblock = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(1);
        AtomicBoolean lost = new AtomicBoolean();
        try (ZooKeeperServer server = ZooKeeperServer.start();
                CuratorFramework curator = CuratorFrameworkFactory.newClient(
                        server.connectString(), SESSION_MILLIS, SESSION_MILLIS, new RetryOneTime(100))) {
            curator.start();
            await().until(curator.getZookeeperClient()::isConnected);
            try (LockClient client = LockClient.over(
                    ZooKeeperBackend.on(curator, ZooKeeperLocks.defaults()), ClientOptions.defaults())) {
                List<Lease> leases = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    Lease lease = client.lock("blocked-" + i).acquire();
                    lease.onChange(Runnable::run, change -> lost.compareAndSet(false, change == LeaseState.LOST));
                    leases.add(lease);
                }
                curator.checkExists()
                        .inBackground((any, event) -> {
                            blocked.countDown();
                            unblock.await(60, TimeUnit.SECONDS);
                        })
                        .forPath("/");
                assertThat(blocked.await(10, TimeUnit.SECONDS)).isTrue();

                Thread.sleep(2L * SESSION_MILLIS);

                assertThat(lost).isFalse();
                leases.forEach(Lease::ensureHeld);
                unblock.countDown();
                await().untilAsserted(() ->
                        assertThat(client.lock("afterwards").tryAcquire()).hasValueSatisfying(Lease::release));
                leases.forEach(lease -> assertThat(lease.release()).isNotNull());
            } finally {
                unblock.countDown();
            }
        }
    }
}
