package io.hasp.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespError;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.time.Duration;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@InTier(Tier.STANDARD)
final class ServerFaultsTest {

    @Test
    void an_expired_session_loses_its_nodes_and_learns_it() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ZooKeeper client = client(server);
                ZooKeeper other = client(server)) {
            client.create("/own", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            other.create("/others", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            long session = client.getSessionId();
            byte[] password = client.getSessionPasswd();

            ZooKeeperSessions.expire(server.connectString(), session, password);

            assertThat(other.exists("/own", false)).isNull();
            assertThat(other.exists("/others", false)).isNotNull();
            await().atMost(Duration.ofSeconds(30)).until(() -> client.getState() == ZooKeeper.States.CLOSED);
            assertThatThrownBy(() -> ZooKeeperSessions.expire(server.connectString(), session, password))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(Long.toHexString(session));
        }
    }

    private static ZooKeeper client(ZooKeeperServer server) throws Exception {
        ZooKeeper client = new ZooKeeper(server.connectString(), 20_000, event -> {});
        await().atMost(Duration.ofSeconds(30)).until(() -> client.getState().isConnected());
        return client;
    }

    @Test
    void a_promoted_replica_lacks_what_the_master_acknowledged_but_could_not_send() {
        try (RedisServer master = RedisServer.start();
                RedisServer replica = RedisServer.start();
                FaultProxy link = FaultProxy.before(master.port())) {
            RedisReplication.follow(replica, link.port());
            master.command("SET", "k", "v");
            await().until(() -> "v".equals(replica.command("GET", "k")));
            assertThatThrownBy(() -> replica.command("SET", "k", "w")).isInstanceOf(RespError.class);

            link.set(Direction.REPLIES, TrafficPolicy.HOLD);
            assertThat(master.command("SET", "late", "lost")).isEqualTo("OK");
            link.cut(ConnectionEnd.RST);
            master.kill();
            RedisReplication.promote(replica);

            assertThat(replica.command("GET", "k")).isEqualTo("v");
            assertThat(replica.command("GET", "late")).isNull();
            assertThat(replica.command("SET", "k", "w")).isEqualTo("OK");
        }
    }
}
