package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.RedisConfig.Library;
import io.hasp.spi.BackendSource;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The connection rules, with Lettuce. */
class LettuceTest implements SilentServerRules {
    private final RedisServer server = RedisServer.start();

    @Override
    public RedisServer server() {
        return server;
    }

    @Override
    public BackendSource source(RedisServer server, Duration timeout) {
        return RedisBackend.on(Configs.of(server, Library.LETTUCE, timeout));
    }

    @Test
    void closing_ends_all_threads() {
        try (TestClient client = open()) {
            client.granted("a");
            assertThat(threads()).isNotEmpty();
        }
        await().untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("lettuce-"))
                .toList();
    }
}
