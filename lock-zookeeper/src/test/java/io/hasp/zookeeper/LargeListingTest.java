package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Test;

/** A lock whose folder has so many children that their list exceeds ZooKeeper's default limit for an answer, one megabyte. */
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
            for (int batch = 0; batch < BATCHES; batch++) {
                List<Op> creations = new ArrayList<>();
                for (int i = 0; i < IN_BATCH; i++) {
                    String path = ServerAdmin.folder("crowded") + "/" + batch + LONG + i;
                    creations.add(Op.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
                }
                admin.client.multi(creations);
            }
            crowded.release();

            assertThat(probe.holder("crowded", Share.READ).granted().token()).isGreaterThan(grant.token());

            assertThat(unrelated.signals).isEmpty();
            assertThat(probe.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Renewed.class);
        }
    }
}
