package io.hasp.examples.tariff;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.examples.Printed;
import org.junit.jupiter.api.Test;

/** The write of a holder that stood still for longer than its lease is refused, and readers beside each other are not. */
class PriceChangeTest {

    @Test
    void on_redis() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            refusesTheFirst(redis.uri());
        }
    }

    @Test
    void on_zookeeper() throws Exception {
        try (ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            refusesTheFirst("zookeeper://" + zookeeper.connectString());
        }
    }

    private static void refusesTheFirst(String uri) throws Exception {
        try (Printed printed = Printed.fromNow()) {
            PriceChange.main(new String[] {uri});
            assertThat(printed.text().lines())
                    .hasSize(4)
                    .startsWith(
                            "a reader beside the second instance sees 200 and 238",
                            "the second instance sees 200 and 238")
                    .endsWith("the tariff is 200 and 238")
                    .anyMatch(
                            line -> line.matches("the first instance was refused: token \\d+ is of an earlier holder"));
        }
    }
}
