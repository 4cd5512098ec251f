package io.hasp.spring.integration;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

@InTier(Tier.STANDARD)
class ZooKeeperElectionTest extends LeaderElectionCases {
    private static final ZooKeeperServer ZOOKEEPER = ZooKeeperServer.start();

    @AfterAll
    static void stop() {
        ZOOKEEPER.close();
    }

    @Override
    int port() {
        return ZOOKEEPER.port();
    }

    @Override
    String uri(int port) {
        return "zookeeper://127.0.0.1:" + port + "?sessionTimeout=" + lease().toMillis() + "ms";
    }

    @Override
    Duration lease() {
        return Duration.ofSeconds(2);
    }
}
