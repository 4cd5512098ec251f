package io.hasp.examples.fencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.examples.Printed;
import org.junit.jupiter.api.Test;

/** The write of a holder that stood still for longer than its lease is refused by the database. */
class DepositTest {

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
            Deposit.main(new String[] {uri});
            assertThat(printed.text())
                    .containsPattern(
                            "the second instance wrote 5\\R+the first instance was refused: token \\d+ is smaller")
                    .contains("the balance is 5");
        }
    }
}
