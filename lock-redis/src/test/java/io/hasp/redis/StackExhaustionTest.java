package io.hasp.redis;

import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.StackExhaustion;
import io.hasp.conformance.servers.RedisServer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program that locks at the end of its stack, through each client library. */
@InTier(Tier.STANDARD)
@Timeout(120)
class StackExhaustionTest {
    private static final int ROUNDS = Tier.count(3, 20);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://127.0.0.1:%d?connection=jedis",
                "redis://127.0.0.1:%d?connection=lettuce",
                "app-redis://127.0.0.1:%d",
            })
    void a_deep_recursion_of_the_program_does_not_end_the_client(String uri) throws InterruptedException {
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.connect(String.format(uri, server.port()))) {
            StackExhaustion.lock(client, ROUNDS);
        }
    }

    @Test
    void a_deep_recursion_of_the_program_does_not_end_a_client_of_redlock() throws Exception {
        try (RedlockWorld world = new RedlockWorld(3, UnaryOperator.identity());
                LockClient client = LockClient.connect(world.nodes.uri())) {
            StackExhaustion.lock(client, ROUNDS);
        }
    }
}
