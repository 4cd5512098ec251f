package io.hasp.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.PostgresServer;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.examples.Printed;
import org.junit.jupiter.api.Test;

/** The same code on four backends. */
class QuickStartTest {

    @Test
    void on_the_in_memory_backend() throws Exception {
        runOn("memory://local");
    }

    @Test
    void on_redis() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            runOn(redis.uri());
        }
    }

    @Test
    void on_zookeeper() throws Exception {
        try (ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            runOn("zookeeper://" + zookeeper.connectString());
        }
    }

    @Test
    void on_postgres() throws Exception {
        try (PostgresServer postgres = PostgresServer.start()) {
            runOn(postgres.uri());
        }
    }

    private static void runOn(String uri) throws InterruptedException {
        try (Printed printed = Printed.fromNow()) {
            QuickStart.main(new String[] {uri});
            assertThat(printed.text())
                    .containsPattern("held, with fencing token \\d+")
                    .contains("a second holder: refused", "worked under the lock: 7", "ran at once");
        }
    }
}
