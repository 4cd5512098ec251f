package io.hasp.zookeeper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Share;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lock client that is closed while its Curator client stays open. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@InTier(Tier.STANDARD)
class ClosingTest {

    @Test
    void ap6_a_lock_that_is_held_when_its_client_is_closed_during_an_interruption_is_free_after_it() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ServerAdmin servers = ServerAdmin.connect(server);
                FaultProxy proxy = FaultProxy.before(server.port());
                CuratorFramework curator = CuratorFrameworkFactory.newClient(
                        "127.0.0.1:" + proxy.port(), 40_000, 10_000, new RetryForever(100))) {
            curator.start();
            assertThat(curator.blockUntilConnected(10, TimeUnit.SECONDS)).isTrue();
            LockClient client =
                    LockClient.over(ZooKeeperBackend.on(curator, ZooKeeperLocks.defaults()), ClientOptions.defaults());
            assertThat(client.lock("a").acquire().state()).isEqualTo(LeaseState.HELD);
            assertThat(client.lock("b").acquire().state()).isEqualTo(LeaseState.HELD);
            long session = curator.getZookeeperClient().getZooKeeper().getSessionId();
            proxy.refuse();
            proxy.cut(ConnectionEnd.RST);
            long start = System.nanoTime();
            client.closeNow();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            assertThat(servers.children("a")).hasSize(1);

            proxy.heal();

            for (String lock : List.of("a", "b")) {
                await().atMost(20, TimeUnit.SECONDS)
                        .untilAsserted(() -> assertThat(servers.children(lock)).isEmpty());
            }
            assertThat(curator.getZookeeperClient().getZooKeeper().getSessionId())
                    .isEqualTo(session);
        }
    }

    /** The user's session may never end, and with it a node that is made too late. */
    @Test
    void ap6_a_call_that_meets_the_close_leaves_no_node() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ServerAdmin servers = ServerAdmin.connect(server);
                CuratorFramework curator = CuratorFrameworkFactory.newClient(
                        server.connectString(), 40_000, 10_000, new RetryForever(100))) {
            curator.start();
            assertThat(curator.blockUntilConnected(10, TimeUnit.SECONDS)).isTrue();
            for (Share share : List.of(Share.EXCLUSIVE, Share.READ, new Share(1, 3))) {
                for (boolean queue : List.of(true, false)) {
                    AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
                    Probe probe =
                            Probe.over(ZooKeeperBackend.on(interrupted(curator, meanwhile), ZooKeeperLocks.defaults()));
                    Probe.Holder late = queue ? probe.holder("late", share) : probe.trier("late", share);
                    meanwhile.set(() -> {
                        meanwhile.set(() -> {});
                        probe.backend.close();
                    });

                    assertThatExceptionOfType(BackendFailure.class).isThrownBy(late::attempt);

                    assertThat(servers.children("late")).as("%s", late.claim).isEmpty();
                    probe.close();
                }
            }
        }
    }

    /** A client that runs a task when it is asked for its session. */
    private static CuratorFramework interrupted(CuratorFramework client, AtomicReference<Runnable> meanwhile) {
        return (CuratorFramework) Proxy.newProxyInstance(
                CuratorFramework.class.getClassLoader(),
                new Class<?>[] {CuratorFramework.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("getZookeeperClient")) {
                        requireNonNull(meanwhile.get()).run();
                    }
                    try {
                        return method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
