package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.SessionClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Test;

/** One check of many nodes: each gets the right answer, and missing ones cost little. */
@InTier(Tier.STANDARD)
class ChecksTest {
    private static final int NODES = 450;
    private static final int BATCHES = 3;

    /** Heartbeats of the session, and the request for the counter. */
    private static final int OTHERS = 10;

    @Test
    void each_missing_node_costs_one_more_request_and_not_one_for_each_node_beside_it() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ServerAdmin servers = ServerAdmin.connect(server)) {
            Session session = new Session(servers.client, ZooDefs.Ids.OPEN_ACL_UNSAFE, new SessionClock());
            List<String> paths = new ArrayList<>();
            List<Code> expected = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                String path = "/checked-" + i;
                boolean missing = i % 20 == 7 || i == NODES - 1;
                if (!missing) {
                    servers.client.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                }
                paths.add(path);
                expected.add(missing ? Code.NONODE : Code.OK);
            }
            long before = servers.packets();

            List<Code> codes = session.check(paths).get(20, TimeUnit.SECONDS);

            assertThat(codes).isEqualTo(expected);
            long missing = expected.stream().filter(code -> code == Code.NONODE).count();
            assertThat(servers.packets() - before).isLessThanOrEqualTo(BATCHES + missing + OTHERS);
        }
    }
}
