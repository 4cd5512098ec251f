package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** A server that lost its quorum serves read-only clients. The user's own client may be one. */
@InTier(Tier.STANDARD)
class ReadOnlyServerTest {
    private static final String LOCK = "read-only";

    @Test
    void zk9_a_read_only_server_refuses_and_is_never_busy() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start(
                // A read-only server has only local sessions; a session becomes global when it creates a node.
                "readonlymode.enabled=true", "localSessionsEnabled=true", "localSessionsUpgradingEnabled=true")) {
            Grant before = acquireOnce(ensemble);
            ensemble.servers().get(0).kill();
            ensemble.servers().get(1).kill();
            try (CuratorFramework client = CuratorFrameworkFactory.builder()
                    .connectString(ensemble.servers().get(2).connectString())
                    .ensembleTracker(false)
                    .canBeReadOnly(true)
                    .retryPolicy(new RetryForever(200))
                    .build()) {
                client.start();
                await().atMost(Duration.ofSeconds(40))
                        .ignoreExceptions()
                        .until(() -> client.getZookeeperClient().getZooKeeper().getState()
                                == ZooKeeper.States.CONNECTEDREADONLY);
                try (Probe reader = Probe.over(ZooKeeperBackend.on(client, ZooKeeperLocks.defaults()))) {
                    assertRefused(reader.holder(LOCK));
                    assertRefused(reader.trier(LOCK));
                }
            }
            ensemble.servers().get(0).restart();
            ensemble.servers().get(1).restart();
            ensemble.awaitServing();
            assertThat(acquireOnce(ensemble).token()).isGreaterThan(before.token());
        }
    }

    private static Grant acquireOnce(ZooKeeperEnsemble ensemble) {
        try (Probe probe = Probe.connect("zookeeper://" + ensemble.connectString() + "?connectionTimeout=30s")) {
            Probe.Holder holder = probe.holder(LOCK);
            Grant grant = holder.granted();
            holder.release();
            return grant;
        }
    }

    private static void assertRefused(Probe.Holder holder) {
        assertThatExceptionOfType(BackendFailure.class)
                .isThrownBy(() -> {
                    throw new AssertionError(holder.attempt());
                })
                .satisfies(failure -> assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.UNAVAILABLE));
    }
}
