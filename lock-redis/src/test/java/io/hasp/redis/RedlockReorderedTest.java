package io.hasp.redis;

import static io.hasp.redis.TestClient.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.redis.redlock.RedlockScripts;
import io.hasp.redis.script.LuaScript;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A node that does not know a script gets its text, which may arrive behind later requests. */
@InTier(Tier.STANDARD)
class RedlockReorderedTest {
    private static final int NODES = 3;
    private static final Duration PATIENT = Duration.ofSeconds(5);

    @Test
    void a_grant_that_arrives_after_its_release_is_released_in_the_end() throws Exception {
        try (RedlockWorld world = new RedlockWorld(NODES, UnaryOperator.identity())) {
            TestClient client = world.behindProxies(PATIENT);
            LuaScript release = RedlockScripts.standard().release();
            world.node(0).command("SET", KEY, "someone's value");
            world.node(1).command("SET", KEY, "someone's value");
            world.node(2).command("SCRIPT", "FLUSH");
            world.node(2).command("SCRIPT", "LOAD", release.text());
            world.proxies.get(2).set(Direction.REPLIES, TrafficPolicy.HOLD);
            CompletableFuture<?> givenBack =
                    world.proxies.get(2).when(Direction.REQUESTS, release.sha(), connection -> {});
            CompletableFuture<BackendFailure> acquired = CompletableFuture.supplyAsync(
                    () -> catchThrowableOfType(BackendFailure.class, () -> client.tryAcquire("a")));
            within(givenBack);
            world.proxies
                    .get(2)
                    .when(
                            Direction.REQUESTS,
                            "EVAL\r\n",
                            connection -> world.proxies.get(2).set(Direction.REQUESTS, TrafficPolicy.HOLD));
            world.proxies.get(2).set(Direction.REPLIES, TrafficPolicy.PASS);

            assertThat(acquired.join().outcome()).isEqualTo(Outcome.UNKNOWN);
            world.proxies.get(2).set(Direction.REQUESTS, TrafficPolicy.PASS);
            assertThat(catchThrowableOfType(BackendFailure.class, () -> client.release("a")))
                    .isNotNull();
            await().until(() -> Long.valueOf(0).equals(world.node(2).command("EXISTS", KEY)));
        }
    }

    private static void within(CompletableFuture<?> moment) throws Exception {
        moment.get(PATIENT.toMillis(), TimeUnit.MILLISECONDS);
    }
}
