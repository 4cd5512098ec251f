package io.hasp.redis.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.Configs;
import io.hasp.redis.TestClient;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.spi.BackendFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sockets that were idle for long, at an address that takes no new ones. */
class IdleSocketTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration FRESH = Duration.ofMillis(100);

    private final RedisServer server = RedisServer.start();
    private final FaultProxy proxy = FaultProxy.before(server.port());
    private final CombiningPool pool = pool();

    private CombiningPool pool() {
        RedisEndpoint endpoint = Configs.endpoint(proxy.port(), TIMEOUT);
        return new CombiningPool(
                "server",
                TIMEOUT,
                JedisSockets.connecting(endpoint, JedisSockets.of(endpoint), Duration.ZERO),
                () -> {},
                FRESH);
    }

    @AfterEach
    void stop() {
        pool.close();
        proxy.close();
        server.close();
    }

    private String echo(String text) {
        return TestClient.answer(pool.send(EvalCommand.of(Command.EVAL, "return ARGV[1]", List.of(), List.of(text))));
    }

    @Test
    void an_idle_socket_serves_as_long_as_its_server_answers() throws InterruptedException {
        assertThat(echo("a")).isEqualTo("a");
        proxy.refuse();
        for (int i = 0; i < 3; i++) {
            TimeUnit.MILLISECONDS.sleep(2 * FRESH.toMillis());
            assertThat(echo("b")).isEqualTo("b");
        }
        assertThat(proxy.refused()).isPositive();
    }

    private static long replicas(JedisAcknowledging waits) throws Exception {
        return waits.send(List.of())
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS)
                .replicas();
    }

    @Test
    void a_wait_for_replicas_does_not_take_an_idle_socket_that_the_network_has_cut() throws Exception {
        RedisEndpoint endpoint = Configs.endpoint(proxy.port(), TIMEOUT);
        JedisAcknowledging waits = new JedisAcknowledging(
                "server",
                TIMEOUT,
                JedisSockets.connecting(endpoint, JedisSockets.of(endpoint), Duration.ZERO),
                1,
                Duration.ofMillis(10),
                FRESH);
        try {
            assertThat(replicas(waits)).isZero();
            proxy.connections().forEach(connection -> connection.cut(ConnectionEnd.HALF_OPEN));
            TimeUnit.MILLISECONDS.sleep(2 * FRESH.toMillis());
            assertThat(replicas(waits)).isZero();
            proxy.refuse();
            TimeUnit.MILLISECONDS.sleep(2 * FRESH.toMillis());
            assertThat(replicas(waits)).as("as long as its server answers").isZero();
        } finally {
            waits.close();
        }
    }

    @Test
    void an_idle_socket_whose_server_does_not_answer_serves_no_more() throws InterruptedException {
        assertThat(echo("a")).isEqualTo("a");
        proxy.refuse();
        proxy.connections().forEach(connection -> connection.cut(ConnectionEnd.HALF_OPEN));
        TimeUnit.MILLISECONDS.sleep(2 * FRESH.toMillis());
        assertThatExceptionOfType(BackendFailure.class)
                .isThrownBy(() -> echo("b"))
                .satisfies(failure -> assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.NOT_APPLIED));
        proxy.heal();
        assertThat(echo("c")).isEqualTo("c");
    }
}
