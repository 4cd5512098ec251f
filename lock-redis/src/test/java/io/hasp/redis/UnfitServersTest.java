package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.BackendContext;
import io.hasp.spi.Finding.Level;
import io.hasp.spi.Timing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The doctor's checks on servers that are old, far away, full or hidden, and with clocks that differ. */
@Timeout(120)
class UnfitServersTest extends DiagnosisFixture {

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void a_server_that_is_too_old_is_named_with_the_version_that_is_needed(String library) throws Exception {
        try (OldRedisServer server = OldRedisServer.start()) {
            String uri = "redis://127.0.0.1:" + server.port() + "?connection=" + library;
            assertThat(diagnose(uri)).anySatisfy(finding -> {
                assertThat(finding.level()).isEqualTo(Level.FAIL);
                assertThat(finding.text()).contains("version 6 or later");
            });
        }
    }

    @Test
    void a_server_that_is_far_away_is_doubtful() {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.before(server.port())) {
            String uri = "redis://127.0.0.1:" + proxy.port();
            assertFound(diagnose(uri), Level.OK, "round trip", "median");
            proxy.set(TrafficPolicy.delayed(Duration.ofMillis(60)));
            assertFound(diagnose(uri), Level.WARN, "round trip", "short leases are at risk");
        }
    }

    @Test
    void clocks_that_run_at_another_speed_or_are_apart_are_doubtful() {
        try (RedlockServers servers = RedlockServers.start(3)) {
            assertFound(diagnose(servers.uri()), Level.OK, "clocks", "apart");
            BackendContext hasty = withClock(nanos -> 100 * nanos);
            assertFound(diagnose(servers.uri(), hasty), Level.WARN, "clock", "the server's clock was off by -");
            // The client looks at one server after the other.
            assertFound(diagnose(servers.uri(), hasty), Level.WARN, "clocks", "may not grow");
            assertFound(diagnose(servers.uri(), withClock(nanos -> nanos / 2)), Level.WARN, "clock", "was off by ");
        }
    }

    /** A client whose clock differs sees the same as one of a server whose clock differs. */
    private BackendContext withClock(LongUnaryOperator clock) {
        Timing other = new Timing() {
            @Override
            public long nanoTime() {
                return clock.applyAsLong(System.nanoTime());
            }

            @Override
            public Timer schedule(Duration delay, Runnable task) {
                return timing.schedule(delay, task);
            }
        };
        return new BackendContext("doctor", other, timing.threads());
    }

    @Test
    void a_server_that_cannot_save_its_data_is_bad() throws Exception {
        try (RedisServer server = RedisServer.start("save 3600 1")) {
            List<?> folder = (List<?>) Objects.requireNonNull(server.command("CONFIG", "GET", "dir"));
            Files.createDirectory(Path.of(String.valueOf(folder.get(1)), "dump.rdb"));
            server.command("SET", "other", "1");
            server.command("BGSAVE");
            await().untilAsserted(() -> assertFound(diagnose(uri(server)), Level.FAIL, "persistence", "MISCONF"));
        }
    }

    @Test
    void a_replica_that_hides_its_role_is_found_by_its_refusal() {
        try (RedisServer master = RedisServer.start();
                RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + master.port())) {
            replica.command("ACL SETUSER default -info".split(" "));
            assertFound(diagnose(uri(replica)), Level.FAIL, "role", "the server is a replica");
        }
    }

    @Test
    void a_node_that_has_all_slots_of_its_cluster_is_no_single_server() {
        try (RedisServer node = RedisServer.start("cluster-enabled yes")) {
            node.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
            await().untilAsserted(() -> assertFound(diagnose(uri(node)), Level.FAIL, "role", "redis-cluster"));
        }
    }

    @Test
    void messages_that_do_not_arrive_are_doubtful() {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.before(server.port())) {
            server.command("ACL SETUSER default resetchannels".split(" "));
            assertFound(diagnose(uri(server)), Level.WARN, "messages", "refused: NOPERM");
            server.command("ACL SETUSER default allchannels".split(" "));
            proxy.when(
                    Direction.REPLIES,
                    "subscribe",
                    connection -> connection.set(Direction.REPLIES, TrafficPolicy.delayed(Duration.ofSeconds(2))));
            String uri = "redis://127.0.0.1:" + proxy.port() + "?commandTimeout=9s";
            assertFound(diagnose(uri), Level.WARN, "messages", "did not arrive within");
        }
    }
}
