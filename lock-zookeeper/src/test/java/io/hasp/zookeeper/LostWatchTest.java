package io.hasp.zookeeper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.Released;
import io.hasp.spi.Share;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A watch that nobody reports as lost costs one poll, though a poll lists only if something has changed. */
class LostWatchTest {
    private static final int SESSION_MILLIS = 20_000;
    private static final Share PERMIT = new Share(1, 3);

    private ZooKeeperServer server;
    private FaultProxy proxy;
    private CuratorFramework curator;
    private Probe waiting;
    private Probe holding;

    @BeforeEach
    void connect() {
        server = ZooKeeperServer.start();
        proxy = FaultProxy.before(server.port());
        ZKClientConfig forgetful = new ZKClientConfig();
        forgetful.setProperty(ZKClientConfig.DISABLE_AUTO_WATCH_RESET, "true");
        curator = CuratorFrameworkFactory.builder()
                .connectString("127.0.0.1:" + proxy.port())
                .sessionTimeoutMs(SESSION_MILLIS)
                .retryPolicy(new RetryOneTime(100))
                .zkClientConfig(forgetful)
                .build();
        curator.start();
        await().until(curator.getZookeeperClient()::isConnected);
        waiting = Probe.over(ZooKeeperBackend.on(curator, ZooKeeperLocks.defaults()));
        holding = Probe.connect("zookeeper://" + server.connectString());
    }

    @AfterEach
    void close() {
        waiting.close();
        holding.close();
        curator.close();
        proxy.close();
        server.close();
    }

    @Test
    void of_a_waiter_for_an_exclusive_lock() {
        Probe.Holder holder = holding.holder("one");
        holder.granted();

        grantedByAPollAfter(holder, waiting.holder("one"));
    }

    @Test
    void of_a_waiter_for_a_permit() {
        List<Probe.Holder> holders = new ArrayList<>();
        for (int i = 0; i < PERMIT.capacity(); i++) {
            holders.add(holding.holder("some", PERMIT));
            holders.get(i).granted();
        }

        grantedByAPollAfter(holders.get(1), waiting.holder("some", PERMIT));
    }

    private boolean watches(Probe.Holder waiter) {
        return requireNonNull(((ZooKeeperBackend) waiting.backend).nodeOf(waiter.claim.holder()))
                .waiting()
                .undisturbed();
    }

    private void grantedByAPollAfter(Probe.Holder released, Probe.Holder waiter) {
        assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);
        await().until(() -> watches(waiter));
        proxy.cut(ConnectionEnd.RST);
        proxy.heal();
        await().ignoreExceptions().until(() -> waiter.attempt() instanceof Attempt.Busy);
        assertThat(released.release()).isEqualTo(Released.RELEASED);
        waiter.signals.clear();

        assertThat(waiter.attempt()).isInstanceOf(Attempt.Granted.class);
        assertThat(waiter.signals).as("no watch reported it").isEmpty();
    }
}
