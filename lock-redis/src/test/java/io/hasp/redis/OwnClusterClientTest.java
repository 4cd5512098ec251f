package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.BackendFailure;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.SubscriptionMode;

/** An application's own client for a cluster. */
class OwnClusterClientTest {
    @RegisterExtension
    static final SharedCluster SHARED = SharedCluster.withReplicas();

    private final ClusterServers cluster = SHARED.servers();

    @Test
    void locks_live_beside_the_commands_of_a_lettuce_client_which_stays_open() throws Exception {
        List<RedisURI> nodes = cluster.servers().stream()
                .map(RedisServer::port)
                .map(port -> RedisURI.create("127.0.0.1", port))
                .toList();
        RedisClusterClient lettuce = RedisClusterClient.create(nodes);
        try {
            try (LockClient locks =
                    LockClient.over(RedisBackend.onLettuceCluster(lettuce, nodes), ClientOptions.defaults())) {
                for (int i = 0; i < 20; i++) {
                    Lease lease = locks.lock("own" + i).acquire();
                    assertThat(cluster.masterOf("hasp:{own" + i + "}").command("EXISTS", "hasp:{own" + i + "}"))
                            .isEqualTo(1L);
                    lease.release();
                }
            }
            assertThat(lettuce.connect().sync().set("a", "b")).isEqualTo("OK");
            RedisLocks byTwo = RedisLocks.defaults().acknowledge(2);
            try (LockClient locks =
                    LockClient.over(RedisBackend.onLettuceCluster(lettuce, nodes, byTwo), ClientOptions.defaults())) {
                assertThatThrownBy(() -> locks.lock("own").tryAcquire()).hasMessageContaining("1 of 2 replicas");
            }
        } finally {
            lettuce.shutdown();
        }
        assertThatThrownBy(() -> RedisBackend.onLettuceCluster(lettuce, List.of()))
                .hasMessageContaining("no nodes");
    }

    private static RedissonClient redisson(String node) {
        Config config = new Config();
        config.useClusterServers().addNodeAddress(node).setTimeout(2_000);
        return Redisson.create(config);
    }

    @Test
    void locks_live_beside_the_commands_of_a_redisson_client_which_stays_open() throws Exception {
        RedissonClient redisson = redisson(cluster.servers().get(0).uri());
        try {
            RedisLocks byOne = RedisLocks.defaults().keyPrefix("app").acknowledge(1, Duration.ofSeconds(1));
            try (LockClient locks =
                    LockClient.over(RedisBackend.onRedisson(redisson, byOne), ClientOptions.defaults())) {
                for (int i = 0; i < 20; i++) {
                    Lease lease = locks.lock("own" + i).acquire();
                    assertThat(cluster.masterOf("app:{own" + i + "}").command("EXISTS", "app:{own" + i + "}"))
                            .isEqualTo(1L);
                    lease.release();
                }
                assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .anyMatch(name -> name.startsWith("hasp-redisson"));
            }
            redisson.getBucket("a").set("b");
            await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.startsWith("hasp-redisson")));
        } finally {
            redisson.shutdown();
        }
    }

    /** Also where its locks are on sockets of their own: who shuts the client down expects nothing of it any more. */
    @Test
    void calls_fail_when_the_application_has_shut_its_redisson_client_down() {
        RedissonClient redisson = redisson(cluster.servers().get(0).uri());
        try (RealTiming timing = new RealTiming();
                TestClient client = new TestClient(RedisBackend.onRedisson(redisson), timing, timing.threads())) {
            client.granted("a");
            client.release("a");
            redisson.shutdown();
            assertThatThrownBy(() -> client.acquire("b"))
                    .isInstanceOf(BackendFailure.class)
                    .hasMessageContaining("closed");
        }
    }

    /** As Redisson 3 has it; a password in the place of Redisson 4 is below. */
    @Test
    @SuppressWarnings("deprecation")
    void the_configuration_of_a_redisson_client_counts_for_its_locks() {
        for (RedisServer node : cluster.servers()) {
            node.command("ACL", "SETUSER", "app", "on", ">secret", "~*", "&*", "+@all");
        }
        Config config = new Config();
        Set<String> mapped = ConcurrentHashMap.newKeySet();
        config.useClusterServers()
                .addNodeAddress(cluster.servers().get(1).uri())
                .setSubscriptionMode(SubscriptionMode.SLAVE)
                .setClientName("app")
                .setUsername("app")
                .setPassword("secret")
                .setNatMapper(uri -> {
                    mapped.add(uri.toString());
                    return uri;
                });
        RedissonClient redisson = Redisson.create(config);
        try (RealTiming timing = new RealTiming()) {
            mapped.clear();
            try (TestClient client = new TestClient(RedisBackend.onRedisson(redisson), timing, timing.threads())) {
                client.granted("mapped");
                for (RedisServer master : cluster.masters()) {
                    assertThat(mapped).contains(master.uri());
                    assertThat(String.valueOf(master.command("CLIENT", "LIST", "TYPE", "PUBSUB")))
                            .contains("name=app ", "user=app ", "ssub=0");
                }
                client.release("mapped");
            }
        } finally {
            redisson.shutdown();
        }
    }

    @Test
    void a_wrong_password_of_a_redisson_client_is_told() {
        Config config = new Config();
        config.setPassword("wrong")
                .useClusterServers()
                .addNodeAddress(cluster.servers().get(0).uri());
        RedissonClient redisson = Redisson.create(config.setLazyInitialization(true));
        try {
            assertThatThrownBy(() -> LockClient.over(RedisBackend.onRedisson(redisson), ClientOptions.defaults()))
                    .hasMessageContaining("AUTH");
        } finally {
            redisson.shutdown();
        }
    }
}
