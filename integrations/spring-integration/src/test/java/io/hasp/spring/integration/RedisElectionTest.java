package io.hasp.spring.integration;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

@InTier(Tier.STANDARD)
class RedisElectionTest extends LeaderElectionCases {
    private static final RedisServer REDIS = RedisServer.start();

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    @Override
    int port() {
        return REDIS.port();
    }

    @Override
    String uri(int port) {
        return "redis://127.0.0.1:" + port + "?commandTimeout=500ms&renewedLease=" + lease().toMillis() + "ms";
    }

    @Override
    Duration lease() {
        return Duration.ofMillis(1500);
    }
}
