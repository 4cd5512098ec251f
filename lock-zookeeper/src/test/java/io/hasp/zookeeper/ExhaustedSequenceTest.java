package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.Grant;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.zookeeper.layout.TokenFloorNode;
import java.io.File;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.junit.jupiter.api.Test;

/** A folder after two billion acquisitions: the test writes the count into the server's snapshot. */
@InTier(Tier.STANDARD)
class ExhaustedSequenceTest {
    private static final String LOCK = "ancient";

    @Test
    void zk6_an_exhausted_sequence_never_makes_two_holders_and_starts_again() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            long token = acquireOnce(server);
            exhaust(server);
            try (Probe a = Probe.connect("zookeeper://" + server.connectString());
                    Probe b = Probe.connect("zookeeper://" + server.connectString());
                    ServerAdmin servers = ServerAdmin.connect(server)) {
                Probe.Holder last = a.holder(LOCK);
                Grant grant = last.granted();
                assertThat(servers.children(LOCK).get(0)).endsWith("-2147483646");
                assertThat(grant.token()).isGreaterThan(token);

                for (int i = 0; i < 3; i++) {
                    assertThat(b.holder(LOCK).attempt()).isInstanceOf(Attempt.Gone.class);
                    assertThat(b.trier(LOCK).attempt()).isInstanceOf(Attempt.Busy.class);
                }
                assertThat(servers.children(LOCK)).hasSize(1);
                assertThat(last.release()).isEqualTo(Released.RELEASED);

                Grant next = b.holder(LOCK).granted();
                assertThat(servers.children(LOCK).get(0)).endsWith("-0000000001");
                assertThat(next.token()).isGreaterThan(grant.token());
                assertThat(a.holder(LOCK).attempt()).isInstanceOf(Attempt.Busy.class);
            }
        }
    }

    @Test
    void zk6_a_recreated_folder_keeps_its_token_floor() throws Exception {
        long floor = 1L << 50;
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            try (Probe probe = Probe.connect("zookeeper://" + server.connectString())) {
                Probe.await(probe.backend.tokenFloor().orElseThrow().raise(new LockName(LOCK), floor));
            }
            exhaust(server);
            try (Probe probe = Probe.connect("zookeeper://" + server.connectString());
                    ServerAdmin servers = ServerAdmin.connect(server)) {
                Grant last = probe.holder(LOCK).granted();
                assertThat(last.token()).isGreaterThan(floor);
                Probe.await(probe.backend.release(last.claim()));

                Grant next = probe.holder(LOCK).granted();

                assertThat(next.token()).isGreaterThan(last.token());
                assertThat(servers.children(LOCK))
                        .hasSize(2)
                        .allSatisfy(child -> assertThat(child).containsPattern("-000000000[01]$"));
            }
        }
    }

    /** Two children in one transaction: the number of the second one is negative. */
    @Test
    void zk6_a_recreated_folder_keeps_a_token_floor_with_a_negative_number() throws Exception {
        long floor = 1L << 50;
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            acquireOnce(server);
            exhaust(server);
            try (Probe probe = Probe.connect("zookeeper://" + server.connectString());
                    ServerAdmin servers = ServerAdmin.connect(server)) {
                probe.holder(LOCK).granted();
                String folder = ServerAdmin.folder(LOCK);
                List<OpResult> made = servers.client.multi(List.of(
                        sequential(folder + "/other-"), sequential(folder + "/" + TokenFloorNode.prefix(floor))));
                servers.client.delete(((OpResult.CreateResult) made.get(0)).getPath(), -1);
                for (String child : servers.children(LOCK)) {
                    if (child.startsWith("x-")) {
                        servers.delete(LOCK, child);
                    }
                }
                assertThat(servers.children(LOCK)).containsExactly(TokenFloorNode.prefix(floor) + "-2147483648");

                Grant next = probe.holder(LOCK).granted();

                assertThat(next.token()).isGreaterThan(floor);
                assertThat(servers.children(LOCK))
                        .hasSize(2)
                        .allSatisfy(child -> assertThat(child).containsPattern("-000000000[01]$"));
            }
        }
    }

    private static Op sequential(String path) {
        return Op.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT_SEQUENTIAL);
    }

    private static long acquireOnce(ZooKeeperServer server) {
        try (Probe probe = Probe.connect("zookeeper://" + server.connectString())) {
            Probe.Holder holder = probe.holder(LOCK);
            long token = holder.granted().token();
            holder.release();
            return token;
        }
    }

    private static void exhaust(ZooKeeperServer server) throws Exception {
        File data = new File(server.ask("conf")
                .lines()
                .filter(line -> line.startsWith("dataDir="))
                .map(line -> line.replaceAll("dataDir=(.*)/version-2.*", "$1"))
                .findFirst()
                .orElseThrow());
        server.stop();
        FileTxnSnapLog files = new FileTxnSnapLog(data, data);
        DataTree tree = new DataTree();
        ConcurrentHashMap<Long, Integer> sessions = new ConcurrentHashMap<>();
        long zxid = files.restore(tree, sessions, (header, transaction, digest) -> {});
        tree.setCversionPzxid(ServerAdmin.folder(LOCK), Integer.MAX_VALUE - 1, zxid);
        files.save(tree, sessions, true);
        files.close();
        server.restart();
    }
}
