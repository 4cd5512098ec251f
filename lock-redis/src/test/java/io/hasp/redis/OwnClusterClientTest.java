package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** An application's own client for a cluster. */
class OwnClusterClientTest {
    private static final ClusterServers CLUSTER = ClusterServers.start(false, Duration.ofMinutes(10));

    @AfterAll
    static void stop() {
        CLUSTER.close();
    }

    @Test
    void locks_live_beside_the_commands_of_a_lettuce_client_which_stays_open() throws Exception {
        List<RedisURI> nodes = CLUSTER.servers().stream()
                .map(RedisServer::port)
                .map(port -> RedisURI.create("127.0.0.1", port))
                .toList();
        RedisClusterClient lettuce = RedisClusterClient.create(nodes);
        try {
            try (LockClient locks =
                    LockClient.over(RedisBackend.onLettuceCluster(lettuce, nodes), ClientOptions.defaults())) {
                for (int i = 0; i < 20; i++) {
                    Lease lease = locks.lock("own" + i).acquire();
                    assertThat(CLUSTER.masterOf("hasp:{own" + i + "}").command("EXISTS", "hasp:{own" + i + "}"))
                            .isEqualTo(1L);
                    lease.release();
                }
            }
            assertThat(lettuce.connect().sync().set("a", "b")).isEqualTo("OK");
        } finally {
            lettuce.shutdown();
        }
        assertThatThrownBy(() -> RedisBackend.onLettuceCluster(lettuce, List.of()))
                .hasMessageContaining("no nodes");
    }

    @Test
    void a_redisson_client_for_a_cluster_is_refused() {
        Config config = new Config();
        config.useClusterServers()
                .addNodeAddress("redis://127.0.0.1:" + CLUSTER.servers().get(0).port());
        RedissonClient redisson = Redisson.create(config);
        try {
            assertThatThrownBy(() -> LockClient.over(RedisBackend.onRedisson(redisson), ClientOptions.defaults()))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("is configured for a cluster");
        } finally {
            redisson.shutdown();
        }
    }
}
