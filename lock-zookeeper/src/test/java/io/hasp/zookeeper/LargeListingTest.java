package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Test;

/** A lock whose folder has so many children that their list exceeds ZooKeeper's default limit for an answer, one megabyte. */
@InTier(Tier.STANDARD)
class LargeListingTest {
    private static final int BATCHES = 24;
    private static final int IN_BATCH = 500;
    private static final String LONG = "-".repeat(90);

    @Test
    void a_folder_with_too_many_foreign_nodes_disturbs_neither_its_lock_nor_another() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ServerAdmin admin = ServerAdmin.connect(server);
                Probe probe = Probe.connect("zookeeper://" + server.connectString() + "?sessionTimeout=20s")) {
            Probe.Holder unrelated = probe.holder("unrelated");
            Grant grant = unrelated.granted();
            Probe.Holder crowded = probe.holder("crowded");
            crowded.granted();
            crowd(admin);
            crowded.release();

            assertThat(probe.holder("crowded", Share.READ).granted().token()).isGreaterThan(grant.token());

            assertThat(unrelated.signals).isEmpty();
            assertThat(probe.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Renewed.class);
        }
    }

    @Test
    void an_applications_client_fails_the_one_call_by_the_number_of_children_and_keeps_its_other_locks()
            throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ServerAdmin admin = ServerAdmin.connect(server);
                CuratorFramework client = CuratorFrameworkFactory.newClient(
                        server.connectString(), 10_000, 10_000, new RetryOneTime(100))) {
            client.start();
            await().until(client.getZookeeperClient()::isConnected);
            try (Probe probe = Probe.over(ZooKeeperBackend.on(client, ZooKeeperLocks.defaults()))) {
                Probe.Holder unrelated = probe.holder("unrelated");
                Grant grant = unrelated.granted();
                Probe.Holder crowded = probe.holder("crowded");
                crowded.granted();
                crowd(admin);
                crowded.release();

                await().atMost(Duration.ofSeconds(20))
                        .untilAsserted(() -> assertThatExceptionOfType(BackendFailure.class)
                                .isThrownBy(
                                        () -> probe.trier("crowded", Share.READ).attempt())
                                .withMessageContaining(" children, and their list may exceed the 1048575 bytes")
                                .extracting(BackendFailure::kind)
                                .isEqualTo(BackendFailure.Kind.INCOMPATIBLE));
                int signals = unrelated.signals.size();
                int children = children(admin);
                for (int i = 0; i < 20; i++) {
                    assertThatExceptionOfType(BackendFailure.class)
                            .isThrownBy(() -> probe.trier("crowded", Share.READ).attempt())
                            .withMessageContaining("children");
                }

                assertThat(probe.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Renewed.class);
                assertThat(unrelated.signals).hasSize(signals).doesNotContain(Signal.LOST);
                // The first count may have seen a node whose deletion was on its way.
                await().untilAsserted(() -> assertThat(children(admin)).isLessThanOrEqualTo(children));
            }
        }
    }

    private static int children(ServerAdmin admin) throws Exception {
        return admin.client.exists(ServerAdmin.folder("crowded"), false).getNumChildren();
    }

    private static void crowd(ServerAdmin admin) throws Exception {
        for (int batch = 0; batch < BATCHES; batch++) {
            List<Op> creations = new ArrayList<>();
            for (int i = 0; i < IN_BATCH; i++) {
                String path = ServerAdmin.folder("crowded") + "/" + batch + LONG + i;
                creations.add(Op.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
            }
            admin.client.multi(creations);
        }
    }
}
