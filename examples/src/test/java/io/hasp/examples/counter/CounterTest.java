package io.hasp.examples.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No number is lost, whichever server keeps the lock. */
@Timeout(120)
class CounterTest {
    private static final int NODES = 5;

    @Test
    void on_redis() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            countsAll(redis.uri() + "?renewedLease=2s");
        }
    }

    @Test
    void on_zookeeper() throws Exception {
        try (ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            countsAll("zookeeper://" + zookeeper.connectString() + "?sessionTimeout=2s");
        }
    }

    @Test
    void on_a_redlock_of_five() throws Exception {
        List<RedisServer> nodes = new ArrayList<>();
        try {
            for (int i = 0; i < NODES; i++) {
                nodes.add(RedisServer.start());
            }
            String addresses =
                    nodes.stream().map(node -> "127.0.0.1:" + node.port()).collect(Collectors.joining(","));
            countsAll("redlock://" + addresses + "?renewedLease=2s");
        } finally {
            nodes.forEach(RedisServer::close);
        }
    }

    private static void countsAll(String uri) throws Exception {
        Counter.Count count = Counter.run(uri);
        assertThat(count.lost()).as("lost of " + count).isZero();
        assertThat(count.reported())
                .as("all workers counted their share, and the one that was killed its first half")
                .isGreaterThanOrEqualTo(4 * Worker.THREADS * Worker.INCREMENTS + Worker.INCREMENTS / 2)
                .isLessThan(5 * Worker.THREADS * Worker.INCREMENTS);
    }
}
