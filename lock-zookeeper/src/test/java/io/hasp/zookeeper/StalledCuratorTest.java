package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Attempt;
import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An application's Curator client has one session, which grants again at once after a stall that it survives. */
@InTier(Tier.STANDARD)
class StalledCuratorTest {
    private static final int SESSION_MILLIS = 8_000;

    /** Shorter than a quarter of the session timeout, which a proof takes that begins after the stall. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);

    /** Just before the heartbeat's third beat, when the second is as old as it gets. */
    private static final long BEFORE_A_BEAT_MILLIS = 5_700;

    private ZooKeeperServer server;
    private FaultProxy proxy;
    private CuratorFramework curator;
    private Probe probe;

    @BeforeEach
    void connect() {
        server = ZooKeeperServer.start();
        proxy = FaultProxy.before(server.port());
        curator = CuratorFrameworkFactory.newClient(
                "127.0.0.1:" + proxy.port(), SESSION_MILLIS, SESSION_MILLIS, new RetryOneTime(100));
        curator.start();
        await().until(curator.getZookeeperClient()::isConnected);
        probe = Probe.over(ZooKeeperBackend.on(
                curator, new ZooKeeperLocks("/stalled", ZooDefs.Ids.OPEN_ACL_UNSAFE, COMMAND_TIMEOUT)));
    }

    @AfterEach
    void close() {
        probe.close();
        curator.close();
        proxy.close();
        server.close();
    }

    @Test
    void a_stall_that_keeps_the_connection() throws Exception {
        Thread.sleep(BEFORE_A_BEAT_MILLIS);
        long session = handle().getSessionId();
        // The application hears from the server, so the connection outlives two thirds of the timeout from now.
        curator.checkExists().forPath("/");
        proxy.set(TrafficPolicy.HOLD);
        Thread.sleep(SESSION_MILLIS * 6 / 10);
        proxy.set(TrafficPolicy.PASS);

        assertThat(probe.trier("kept").attempt()).isInstanceOf(Attempt.Granted.class);
        assertThat(handle().getSessionId()).isEqualTo(session);
    }

    @Test
    void a_stall_that_ends_the_connection() throws Exception {
        Thread.sleep(BEFORE_A_BEAT_MILLIS);
        ZooKeeper handle = handle();
        long session = handle.getSessionId();
        proxy.set(TrafficPolicy.HOLD);
        await().until(() -> handle.getState() != ZooKeeper.States.CONNECTED);
        proxy.set(TrafficPolicy.PASS);
        await().until(() -> handle.getState() == ZooKeeper.States.CONNECTED
                && curator.getZookeeperClient().isConnected());

        assertThat(probe.trier("resumed").attempt()).isInstanceOf(Attempt.Granted.class);
        assertThat(handle().getSessionId()).isEqualTo(session);
    }

    private ZooKeeper handle() throws Exception {
        return curator.getZookeeperClient().getZooKeeper();
    }
}
