package io.hasp.spring.integration;

import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;

@InTier(Tier.STANDARD)
class RedlockRegistryTest extends SpringRegistryCases {
    private static final List<RedisServer> NODES =
            List.of(RedisServer.start(), RedisServer.start(), RedisServer.start());

    @AfterAll
    static void stop() {
        NODES.forEach(RedisServer::close);
    }

    @Override
    LockClient connect() {
        return LockClient.connect(NODES.stream()
                .map(node -> "127.0.0.1:" + node.port())
                .collect(Collectors.joining(",", "redlock://", "")));
    }

    /** A majority has to answer in it. */
    @Override
    Duration shortTime() {
        return Duration.ofMillis(500);
    }
}
