package io.hasp.examples.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.examples.Printed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transfers in opposite directions neither deadlock nor lose money. */
@Timeout(60)
class TransferTest {

    @Test
    void on_redis() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            keepsAllMoney(redis.uri());
        }
    }

    @Test
    void on_zookeeper() throws Exception {
        try (ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            keepsAllMoney("zookeeper://" + zookeeper.connectString());
        }
    }

    private static void keepsAllMoney(String uri) throws Exception {
        try (Printed printed = Printed.fromNow()) {
            Transfer.main(new String[] {uri});
            assertThat(printed.text()).contains("alice has -25, bob has 25");
        }
    }
}
