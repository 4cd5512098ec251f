package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Signal;
import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An application closes the handle of its Curator client while it holds locks. The servers free the locks before the client hears of it. */
@InTier(Tier.STANDARD)
class ClosedHandleTest {
    private static final int SESSION_MILLIS = 40_000;

    /** Far less than a quarter of the session timeout. */
    private static final Duration AT_ONCE = Duration.ofSeconds(2);

    private ZooKeeperServer server;
    private FaultProxy proxy;
    private CuratorFramework curator;
    private Probe other;

    @BeforeEach
    void connect() {
        server = ZooKeeperServer.start();
        proxy = FaultProxy.before(server.port());
        curator = CuratorFrameworkFactory.newClient(
                "127.0.0.1:" + proxy.port(), SESSION_MILLIS, SESSION_MILLIS, new RetryOneTime(100));
        curator.start();
        await().until(curator.getZookeeperClient()::isConnected);
        other = Probe.connect("zookeeper://" + server.connectString());
    }

    @AfterEach
    void close() {
        other.close();
        curator.close();
        proxy.close();
        server.close();
    }

    @Test
    void le6_holders_are_lost_at_once_when_the_application_resets_its_client_and_finds_no_server() throws Exception {
        try (Probe probe = Probe.over(ZooKeeperBackend.on(curator, ZooKeeperLocks.defaults()))) {
            Probe.Holder holder = probe.holder("reset");
            holder.granted();
            Probe.Holder waiter = other.holder("reset");
            waiter.attempt();
            proxy.refuse();

            curator.getZookeeperClient().reset();

            assertThat(waiter.waited().token()).isPositive();
            await().atMost(AT_ONCE).until(() -> holder.signals.contains(Signal.LOST));
            proxy.heal();
        }
    }

    @Test
    void le6_holders_behind_a_view_are_lost_at_once_when_its_client_is_closed() throws Exception {
        try (Probe probe = Probe.over(ZooKeeperBackend.on(curator.usingNamespace("view"), ZooKeeperLocks.defaults()))) {
            Probe.Holder holder = probe.holder("closed");
            holder.granted();

            curator.close();

            await().atMost(AT_ONCE).until(() -> holder.signals.contains(Signal.LOST));
        }
    }
}
