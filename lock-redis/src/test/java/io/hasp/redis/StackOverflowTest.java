package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.redis.jedis.CombiningPool;
import io.hasp.redis.jedis.JedisConnection;
import io.hasp.redis.lettuce.LettuceConnection;
import io.hasp.redis.redisson.RedissonMaster;
import io.hasp.redis.redlock.NodeSocketsPool;
import io.hasp.redis.server.RedisConnection;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.api.RedissonClient;

/** The stack ends at any depth of a call: no reply goes to another request, no socket and no turn is lost. */
@InTier(Tier.STANDARD)
class StackOverflowTest extends EchoFixture {
    private static final int DESCENTS = Tier.count(3, 20);

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_stack_that_ends_anywhere_in_a_call_to_a_single_server_mixes_no_replies_up(Through library) throws Exception {
        RedisEndpoint endpoint = Configs.endpoint(server, TIMEOUT);
        server.command("SCRIPT", "LOAD", ECHO.text());
        RedissonClient redisson = ApplicationRedisson.client(
                RedisConfig.of("127.0.0.1", server.port()).commandTimeout(TIMEOUT));
        try (RedisConnection connection = connection(library, endpoint, redisson)) {
            Echo echo = text -> connection
                    .evaluate(RedisConnection.Command.EVALSHA, ECHO.sha(), List.of("key"), List.of(text))
                    .toCompletableFuture()
                    .join();
            overflows(echo);
            for (int i = 0; i < 2 * CombiningPool.SOCKETS; i++) {
                assertThat(works(echo)).as("call %s after the error", i).isTrue();
            }
        } finally {
            redisson.shutdown();
        }
    }

    private static RedisConnection connection(Through library, RedisEndpoint endpoint, RedissonClient redisson) {
        return switch (library) {
            case JEDIS -> new JedisConnection(endpoint);
            case LETTUCE -> LettuceConnection.open(endpoint);
            case REDISSON -> RedissonMaster.of(redisson);
        };
    }

    @Test
    void a_stack_that_ends_anywhere_in_a_call_to_redlock_loses_no_turn() throws Exception {
        try (RedlockWorld world = new RedlockWorld(NODES, UnaryOperator.identity())) {
            TestClient client = world.client();
            overflows(text -> {
                Claim claim = Claim.renewedLease(new LockName(text), new HolderId(text), TIMEOUT, true);
                TestClient.answer(client.backend.acquire(claim, signal -> {}));
                TestClient.answer(client.backend.release(claim));
                return text;
            });
            for (int i = 0; i < 2 * NodeSocketsPool.MOST; i++) {
                client.granted("after" + i);
                client.release("after" + i);
            }
        }
    }

    /** Calls at every depth of the stack, from where there is hardly any left to where there is enough. */
    private void overflows(Echo echo) throws Exception {
        for (int i = 0; i < 20; i++) {
            assertThat(works(echo)).isTrue();
        }
        for (int i = 0; i < DESCENTS; i++) {
            threads.submit(() -> descend(echo, new int[1])).get(60, TimeUnit.SECONDS);
        }
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack ends, which is what it is for
    private boolean descend(Echo echo, int[] worked) {
        try {
            if (descend(echo, worked)) {
                return true;
            }
        } catch (StackOverflowError e) {
            // Here it ends; on the way back there is a little more of it each time.
        }
        if (works(echo)) {
            worked[0]++;
        }
        return worked[0] >= 100;
    }
}
