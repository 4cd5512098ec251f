package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.lettuce.LettuceConnection;
import io.hasp.redis.server.RedisConnection;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands whose connection ends are never sent again by Lettuce, other than with its defaults. */
class LettuceSendsOnceTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int ROUNDS = Tier.count(20, 200);
    private static final int CALLS = 20;
    private static final String COUNT = "return tostring(redis.call('incr', KEYS[1]))";

    private static final Logger LETTUCE_LOG = Logger.getLogger("io.lettuce");
    private static final RedisServer REDIS = RedisServer.start();
    private final FaultProxy proxy = FaultProxy.before(REDIS.port());

    /** Log of the control's reconnections. */
    @BeforeAll
    static void hush() {
        LETTUCE_LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void stop() {
        LETTUCE_LOG.setLevel(null);
        REDIS.close();
    }

    @BeforeEach
    void empty() {
        REDIS.command("FLUSHALL");
    }

    @AfterEach
    void end() {
        proxy.close();
    }

    private RedisURI uri() {
        RedisURI uri = RedisURI.create("127.0.0.1", proxy.port());
        uri.setTimeout(TIMEOUT);
        return uri;
    }

    @Test
    void our_own_client_sends_no_command_twice() throws Exception {
        try (LettuceConnection connection = LettuceConnection.open(Configs.endpoint(proxy.port(), TIMEOUT))) {
            cutAgainAndAgain(call(connection));
            assertThat(counts()).hasSize(ROUNDS * (1 + CALLS)).containsOnly("1");
        }
    }

    @Test
    void nor_do_the_connections_beside_a_client_that_replays() throws Exception {
        RedisClient replaying = RedisClient.create();
        try (LettuceConnection connection = LettuceConnection.beside(replaying, uri())) {
            cutAgainAndAgain(call(connection));
            assertThat(counts()).hasSize(ROUNDS * (1 + CALLS)).containsOnly("1");
        } finally {
            replaying.shutdown();
        }
    }

    /** The control: what the others would see. */
    @Test
    void lettuce_with_its_defaults_does() throws Exception {
        RedisClient replaying = RedisClient.create();
        try (StatefulRedisConnection<String, String> connection = replaying.connect(uri())) {
            cutAgainAndAgain(key -> connection
                    .async()
                    .<String>eval(COUNT, ScriptOutputType.VALUE, new String[] {key})
                    .toCompletableFuture());
            assertThat(counts()).contains("2");
        } finally {
            replaying.shutdown();
        }
    }

    private static Function<String, CompletableFuture<String>> call(LettuceConnection connection) {
        return key -> connection
                .evaluate(RedisConnection.Command.EVAL, COUNT, List.of(key), List.of())
                .toCompletableFuture();
    }

    /** Each call counts under a key of its own. In each round the connection ends when the server has counted, before it is heard. */
    private void cutAgainAndAgain(Function<String, CompletableFuture<String>> call) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(call.apply(round + ".first").get(10, TimeUnit.SECONDS)).isEqualTo("1");
            proxy.set(Direction.REPLIES, TrafficPolicy.HOLD);
            List<CompletableFuture<String>> calls = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                calls.add(call.apply(round + "." + i));
            }
            long counted = (round + 1L) * (1 + CALLS);
            await().pollInterval(Duration.ofMillis(2))
                    .until(() -> Long.valueOf(counted).equals(REDIS.command("DBSIZE")));
            proxy.cut(round % 2 == 0 ? ConnectionEnd.FIN : ConnectionEnd.RST);
            proxy.heal();
            for (CompletableFuture<String> each : calls) {
                each.handle((reply, failure) -> reply).get(10, TimeUnit.SECONDS);
            }
        }
    }

    private static List<String> counts() {
        List<String> command = new ArrayList<>(List.of("MGET"));
        ((List<?>) Objects.requireNonNull(REDIS.command("KEYS", "*"))).forEach(key -> command.add((String) key));
        return ((List<?>) Objects.requireNonNull(REDIS.command(command.toArray(String[]::new))))
                .stream().map(String.class::cast).toList();
    }
}
