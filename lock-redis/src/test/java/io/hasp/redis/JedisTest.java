package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.RedisConfig.Library;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The connection rules, with Jedis. */
class JedisTest implements ConnectionRules {
    private final RedisServer server = RedisServer.start();

    @Override
    public RedisServer server() {
        return server;
    }

    @Override
    public BackendSource source(RedisServer server, Duration timeout) {
        return RedisBackend.on(Configs.of(server, Library.JEDIS, timeout));
    }

    /** A socket that is dead without having been closed looks like a silent channel. */
    @Test
    void the_subscription_takes_another_socket_when_commands_get_no_answer() {
        try (TestClient client = new TestClient(source(server, Duration.ofMillis(300)))) {
            String before = subscriber();
            server.pause();
            assertThatThrownBy(() -> client.acquire("a")).isInstanceOf(BackendFailure.class);
            server.resume();
            await().until(() -> !subscriber().isEmpty() && !subscriber().equals(before));
        } finally {
            server.resume();
        }
    }

    private String subscriber() {
        return String.valueOf(server.command("CLIENT", "LIST", "TYPE", "pubsub"))
                .replaceAll("(?s) .*", "");
    }
}
