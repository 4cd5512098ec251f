package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import io.hasp.spi.Finding;
import io.hasp.spi.Finding.Level;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checks of an operator's doctor, each on a server that fails it. */
@Timeout(120)
class DiagnosisTest extends DiagnosisFixture {
    private static final String USER = "ACL SETUSER locks on >pw ~hasp:* &hasp:* " + PermissionRules.COMMANDS;

    private static String user(RedisServer server) {
        return "redis://locks:pw@127.0.0.1:" + server.port();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void a_server_that_is_fit_has_no_bad_finding_and_is_left_as_it_was(String library) {
        try (RedisServer server = RedisServer.start()) {
            List<Finding> findings = diagnose(uri(server) + "?connection=" + library);
            assertThat(findings).allMatch(finding -> finding.level() == Level.OK);
            assertThat(findings)
                    .extracting(Finding::check)
                    .containsExactly(
                            "address",
                            "version",
                            "role",
                            "eviction policy",
                            "memory",
                            "persistence",
                            "replicas",
                            "commands",
                            "messages",
                            "round trip",
                            "clock",
                            "layout");
            assertThat(server.command("DBSIZE")).isEqualTo(0L);
        }
    }

    @Test
    void a_server_that_is_down_or_refuses_is_named() {
        try (RedisServer server = RedisServer.start("requirepass right")) {
            assertFound(diagnose(uri(server)), Level.FAIL, "address", "NOAUTH");
            server.kill();
            assertFound(diagnose(uri(server)), Level.FAIL, "address", "127.0.0.1:" + server.port());
        }
        assertThatIllegalArgumentException().isThrownBy(() -> diagnose("redis://127.0.0.1?unknown=1"));
    }

    @Test
    void eviction_is_bad_unless_it_is_accepted() {
        try (RedisServer server = RedisServer.start("maxmemory-policy allkeys-lru")) {
            assertFound(diagnose(uri(server)), Level.FAIL, "eviction policy", "allkeys-lru");
            assertFound(diagnose(uri(server) + "?eviction=accepted"), Level.WARN, "eviction policy", "allkeys-lru");
        }
    }

    @Test
    void a_full_memory_is_bad() {
        try (RedisServer server = RedisServer.start()) {
            server.command("CONFIG", "SET", "maxmemory", "1");
            assertFound(diagnose(uri(server)), Level.FAIL, "memory", "full");
        }
    }

    @Test
    void a_replica_is_bad_and_its_master_warns_of_a_failover() {
        try (RedisServer master = RedisServer.start();
                RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + master.port())) {
            await().untilAsserted(
                            () -> assertFound(diagnose(uri(replica)), Level.FAIL, "role", "the server is a replica"));
            await().untilAsserted(() -> assertFound(diagnose(uri(master)), Level.WARN, "replicas", "acknowledge=1"));
            await().untilAsserted(() ->
                    assertFound(diagnose(uri(master) + "?acknowledge=1"), Level.OK, "replicas", "acknowledge=1"));
            assertFound(diagnose(uri(master) + "?acknowledge=2"), Level.FAIL, "replicas", "can't be met");
        }
    }

    @Test
    void missing_permissions_are_named() {
        try (RedisServer server = RedisServer.start()) {
            server.command(USER.split(" "));
            List<Finding> without = diagnose(user(server));
            assertFound(without, Level.WARN, "commands", "+info");
            assertFound(without, Level.WARN, "commands", "+scan");
            assertFound(without, Level.UNKNOWN, "eviction policy", "INFO");
            for (String check : List.of("version", "memory", "persistence", "replicas")) {
                assertFound(without, Level.UNKNOWN, check, "permit INFO");
            }
            assertFound(diagnose(user(server) + "?acknowledge=1"), Level.UNKNOWN, "replicas", "needs them");
            assertFound(without, Level.UNKNOWN, "layout", "SCAN");
            assertFound(without, Level.OK, "messages", "arrives");
            assertThat(without).noneMatch(finding -> finding.level() == Level.FAIL);
            server.command("ACL SETUSER locks -zadd -hmget -publish".split(" "));
            List<Finding> less = diagnose(user(server));
            assertFound(less, Level.FAIL, "commands", "+zadd");
            assertFound(less, Level.WARN, "commands", "semaphores need hmget");
            assertFound(less, Level.WARN, "messages", "poll");
            server.command("ACL SETUSER locks +publish -subscribe".split(" "));
            assertFound(diagnose(user(server)), Level.WARN, "messages", "subscribe");
            server.command("ACL SETUSER locks -evalsha".split(" "));
            assertFound(diagnose(user(server)), Level.FAIL, "address", "evalsha");
        }
    }

    @Test
    void a_foreign_value_is_named() {
        try (RedisServer server = RedisServer.start()) {
            server.command("SET", "hasp:{orders/42}", "somebody else's");
            assertFound(diagnose(uri(server)), Level.WARN, "layout", "hasp:{orders/42}");
        }
    }

    @Test
    void a_node_of_a_cluster_is_no_single_server() {
        try (RedisServer node = RedisServer.start("cluster-enabled yes")) {
            assertFound(diagnose(uri(node)), Level.FAIL, "address", "cluster");
        }
    }

    @Test
    void redlock_needs_a_majority() {
        try (RedlockServers servers = RedlockServers.start(3)) {
            List<Finding> all = diagnose(servers.uri());
            assertFound(all, Level.OK, "majority", "3 of 3");
            assertFound(all, Level.OK, "clocks", "apart");
            assertFound(all, Level.WARN, "persistence", "forgets its grants");
            assertFound(all, Level.OK, "address", "127.0.0.1:" + servers.node(1).port());
            servers.node(1).kill();
            List<Finding> less = diagnose(servers.uri());
            assertFound(less, Level.WARN, "majority", "2 of 3");
            assertFound(
                    less, Level.FAIL, "address", "127.0.0.1:" + servers.node(1).port());
            servers.node(2).kill();
            assertFound(diagnose(servers.uri()), Level.FAIL, "majority", "1 of 3");
        }
    }

    @Test
    @InTier(Tier.STANDARD)
    void a_cluster_is_checked_master_by_master_and_must_cover_all_slots() {
        try (ClusterServers servers = ClusterServers.start(false, Duration.ofSeconds(15))) {
            String uri = "redis-cluster://" + servers.addresses();
            List<Finding> findings = diagnose(uri);
            assertThat(findings).allMatch(finding -> finding.level() == Level.OK);
            assertThat(findings)
                    .filteredOn(finding -> finding.check().equals("cluster state"))
                    .hasSize(3);
            servers.servers().get(0).command("ACL SETUSER default -cluster|info".split(" "));
            assertFound(diagnose(uri), Level.UNKNOWN, "cluster state", "permit CLUSTER INFO");
            servers.servers().get(0).command("ACL SETUSER default +cluster|info".split(" "));
            assertFound(diagnose(uri(servers.servers().get(0))), Level.FAIL, "address", "redis-cluster");
            servers.servers().get(2).kill();
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertFound(diagnose(uri), Level.FAIL, "cluster state", "slots"));
        }
    }

    @Test
    @InTier(Tier.STANDARD)
    void sentinels_name_the_master_or_the_name_is_wrong() {
        try (SentinelServers servers = SentinelServers.start(Duration.ofSeconds(5))) {
            String uri = "redis-sentinel://" + servers.addresses() + "?sentinelMasterId=";
            List<Finding> findings = diagnose(uri + SentinelServers.MASTER_ID);
            assertThat(findings).noneMatch(finding -> finding.level() == Level.FAIL);
            assertFound(findings, Level.WARN, "replicas", "acknowledge=1");
            assertFound(findings, Level.OK, "sentinels", "have a quorum");
            servers.sentinels().get(0).command("ACL SETUSER default -sentinel|ckquorum".split(" "));
            assertFound(diagnose(uri + SentinelServers.MASTER_ID), Level.UNKNOWN, "sentinels", "+sentinel|ckquorum");
            servers.sentinels().get(0).command("ACL SETUSER default +sentinel|ckquorum".split(" "));
            servers.sentinels().get(1).kill();
            assertFound(diagnose(uri + SentinelServers.MASTER_ID), Level.WARN, "sentinels", "2 of 3 have a quorum");
            servers.sentinels().get(2).kill();
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertFound(
                            diagnose(uri + SentinelServers.MASTER_ID), Level.FAIL, "sentinels", "NOQUORUM"));
            assertFound(diagnose(uri + "nobody"), Level.FAIL, "address", "sentinelMasterId");
        }
    }
}
