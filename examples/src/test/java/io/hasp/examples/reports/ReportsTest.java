package io.hasp.examples.reports;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The warehouse never has more queries than it can bear, and no report waits without end. */
@Timeout(60)
class ReportsTest {

    @Test
    void on_redis() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            assertThat(Reports.most(redis.uri())).isBetween(3, Reports.QUERIES);
        }
    }

    @Test
    void on_zookeeper() throws Exception {
        try (ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            assertThat(Reports.most("zookeeper://" + zookeeper.connectString())).isBetween(3, Reports.QUERIES);
        }
    }
}
