package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses, schemes and passwords that are wrong, with a real cluster. */
@InTier(Tier.STANDARD)
class ClusterErrorsTest {
    private static final RedisServer STANDALONE = RedisServer.start();

    @RegisterExtension
    static final SharedCluster SHARED = SharedCluster.withReplicas();

    private final ClusterServers cluster = SHARED.servers();

    @AfterAll
    static void stop() {
        STANDALONE.close();
    }

    private static TestClient open(String uri) {
        return new TestClient(Through.source(uri), new RealTiming(), ForkJoinPool.commonPool());
    }

    private static void assertRefused(String uri, Kind kind, String... words) {
        BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> open(uri));
        assertThat(failure).as(uri).isNotNull();
        assertThat(failure.getMessage()).contains(words);
        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED);
    }

    private static String at(RedisServer server) {
        return "127.0.0.1:" + server.port();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_scheme_that_does_not_fit_the_server_is_named(String library) {
        String connection = "?connection=" + library;
        assertRefused(
                "redis-cluster://" + at(STANDALONE) + connection,
                Kind.INCOMPATIBLE,
                at(STANDALONE),
                "is a server without a cluster, for which the scheme is redis");
        for (RedisServer node : cluster.servers()) {
            assertRefused(
                    "redis://" + at(node) + connection, Kind.INCOMPATIBLE, at(node), "the scheme", "redis-cluster");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void a_node_is_no_sentinel(String library) {
        assertRefused(
                "redis-sentinel://" + at(cluster.servers().get(0)) + "?connection=" + library + "&sentinelMasterId=m",
                Kind.INCOMPATIBLE,
                "is no sentinel");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_sentinel_is_no_node(String library) {
        try (RedisServer sentinel = RedisServer.sentinel(
                "sentinel monitor " + SentinelServers.MASTER_ID + " 127.0.0.1 " + STANDALONE.port() + " 1")) {
            assertRefused(
                    "redis-cluster://" + at(sentinel) + "?connection=" + library,
                    Kind.INCOMPATIBLE,
                    "is no node of a cluster",
                    "redis-sentinel");
        }
    }

    /** Some of the configured nodes may be down, or replicas: any node reports the masters. */
    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void one_node_that_answers_is_enough(String library) {
        String connection = "?connection=" + library;
        assertRefused(
                "redis-cluster://127.0.0.1:1,127.0.0.1:2" + connection,
                Kind.UNAVAILABLE,
                "127.0.0.1:1 can't be reached: ",
                "127.0.0.1:2 can't be reached: ");
        RedisServer replica = cluster.servers().get(4);
        try (TestClient client = open("redis-cluster://127.0.0.1:1," + at(replica) + connection)) {
            client.granted("a-" + library);
            client.release("a-" + library);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void credentials_are_those_of_all_nodes(String library) {
        for (RedisServer node : cluster.servers()) {
            node.command("ACL", "SETUSER", "locks", "on", ">secret", "~hasp:*", "&hasp:*", "+@all", "-info");
        }
        // The first connection of a library may take a busy machine longer than a command should.
        String rest = cluster.addresses() + "?commandTimeout=10s&connection=" + library;
        assertRefused("redis-cluster://locks:wrong@" + rest, Kind.DENIED, "WRONGPASS");
        try (TestClient client = open("redis-cluster://locks:secret@" + rest)) {
            client.granted("b-" + library);
            client.release("b-" + library);
        }
        for (RedisServer node : cluster.servers()) {
            node.command("ACL", "SETUSER", "locks", "-cluster");
        }
        assertRefused("redis-cluster://locks:secret@" + rest, Kind.DENIED, "CLUSTER INFO");
    }
}
