package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.Connect;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import io.hasp.spi.BackendSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Clients that are made before several servers run, and on clients of the application that are not connected either. */
@Timeout(180)
@InTier(Tier.STANDARD)
class LazyTopologiesTest {
    private static final ClientOptions LAZY =
            ClientOptions.defaults().connect(Connect.LAZY).unavailableAfter(Duration.ofMinutes(1));

    private static void assertUnavailable(LockClient client) {
        assertThatExceptionOfType(BackendException.class)
                .isThrownBy(() -> client.lock("orders/42").tryAcquire())
                .satisfies(e -> {
                    assertThat(e.kind()).isEqualTo(BackendException.Kind.UNAVAILABLE);
                    assertThat(e.outcome()).isEqualTo(BackendException.Outcome.NOT_APPLIED);
                });
    }

    private static void assertLocks(LockClient client) throws InterruptedException {
        try (Lease lease = client.lock("orders/42").acquire()) {
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void sentinels(String library) throws InterruptedException {
        try (SentinelServers servers = SentinelServers.start(Duration.ofSeconds(60))) {
            Stream.concat(servers.sentinels().stream(), servers.servers().stream())
                    .forEach(RedisServer::kill);
            try (LockClient client = LockClient.connect(
                    Through.uri("redis-sentinel://" + servers.addresses() + "?sentinelMasterId="
                            + SentinelServers.MASTER_ID + "&connection=" + library),
                    LAZY)) {
                assertUnavailable(client);
                servers.servers().forEach(RedisServer::restart);
                assertUnavailable(client);
                servers.sentinels().forEach(RedisServer::restart);
                assertLocks(client);
                assertThat(client.disconnect()).isTrue();
                assertLocks(client);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_cluster(String library) throws InterruptedException {
        try (ClusterServers servers = ClusterServers.start(false, Duration.ofSeconds(15))) {
            servers.servers().forEach(RedisServer::kill);
            try (LockClient client = LockClient.connect(
                    Through.uri("redis-cluster://" + servers.addresses() + "?connection=" + library), LAZY)) {
                assertUnavailable(client);
                servers.servers().forEach(RedisServer::restart);
                assertLocks(client);
                assertThat(client.disconnect()).isTrue();
                assertLocks(client);
            }
        }
    }

    @Test
    void redlock() throws InterruptedException {
        List<RedisServer> nodes = Stream.generate(RedisServer::start).limit(3).toList();
        try {
            nodes.forEach(RedisServer::kill);
            String uri = "redlock://"
                    + nodes.stream().map(node -> "127.0.0.1:" + node.port()).collect(Collectors.joining(","));
            try (LockClient client = LockClient.connect(Through.uri(uri), LAZY)) {
                assertUnavailable(client);
                nodes.get(0).restart();
                assertUnavailable(client);
                nodes.get(1).restart();
                assertLocks(client);
                assertThat(client.disconnect()).isTrue();
                assertLocks(client);
            }
        } finally {
            nodes.forEach(RedisServer::close);
        }
    }

    private static void assertRecovers(RedisServer server, BackendSource source) throws InterruptedException {
        try (LockClient client = LockClient.over(source, LAZY)) {
            assertUnavailable(client);
            server.restart();
            assertLocks(client);
            assertThat(client.disconnect()).isTrue();
            assertLocks(client);
        }
    }

    @Test
    void beside_an_applications_lettuce_client() throws InterruptedException {
        RedisClient lettuce = RedisClient.create();
        try (RedisServer server = RedisServer.start()) {
            server.kill();
            RedisURI uri = RedisURI.create(server.uri());
            uri.setTimeout(Duration.ofSeconds(2));
            assertRecovers(server, RedisBackend.onLettuce(lettuce, uri));
        } finally {
            lettuce.shutdown();
        }
    }

    @Test
    void beside_an_applications_lettuce_client_of_a_cluster() throws InterruptedException {
        try (ClusterServers servers = ClusterServers.start(false, Duration.ofSeconds(15))) {
            servers.servers().forEach(RedisServer::kill);
            RedisURI uri = RedisURI.create(servers.servers().get(0).uri());
            uri.setTimeout(Duration.ofSeconds(2));
            RedisClusterClient lettuce = RedisClusterClient.create(uri);
            try (LockClient client = LockClient.over(RedisBackend.onLettuceCluster(lettuce, List.of(uri)), LAZY)) {
                assertUnavailable(client);
                servers.servers().forEach(RedisServer::restart);
                assertLocks(client);
            } finally {
                lettuce.shutdown();
            }
        }
    }

    /** Its own initialization has to be lazy as well. */
    @Test
    void on_an_applications_redisson_client() throws InterruptedException {
        try (RedisServer server = RedisServer.start()) {
            server.kill();
            Config config = new Config().setLazyInitialization(true);
            config.useSingleServer().setAddress(server.uri()).setTimeout(2000).setRetryAttempts(0);
            RedissonClient redisson = Redisson.create(config);
            try {
                assertRecovers(server, RedisBackend.onRedisson(redisson));
            } finally {
                redisson.shutdown();
            }
        }
    }
}
