package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.UnixOperatingSystemMXBean;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.lettuce.LettuceConnection;
import io.hasp.redis.server.RedisConnection;
import io.hasp.spi.BackendSource;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
        return Through.LETTUCE.source(server, timeout);
    }

    @Test
    void closing_ends_all_threads() {
        try (TestClient client = open()) {
            client.granted("a");
            assertThat(threads()).isNotEmpty();
        }
        await().untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void calls_under_way_end_when_it_is_closed() throws Exception {
        LettuceConnection connection = LettuceConnection.open(Configs.endpoint(server, Duration.ofMinutes(5)));
        server.pause();
        try {
            List<CompletableFuture<String>> calls = Stream.generate(() -> connection
                            .evaluate(RedisConnection.Command.EVAL, "return ''", List.of(), List.of())
                            .toCompletableFuture())
                    .limit(100)
                    .toList();
            connection.close();
            for (CompletableFuture<String> call : calls) {
                assertThat(call.handle((reply, failure) -> failure).get(5, TimeUnit.SECONDS))
                        .isNotNull();
            }
        } finally {
            server.resume();
        }
    }

    @Test
    void opening_and_closing_again_and_again_leaves_no_socket_open() {
        openAndClose(5);
        long before = descriptors();
        openAndClose(60);
        assertThat(descriptors() - before).as("new file descriptors").isLessThan(5);
    }

    private void openAndClose(int times) {
        for (int i = 0; i < times; i++) {
            try (TestClient client = open()) {
                client.tryAcquire("a");
            }
        }
    }

    private static long descriptors() {
        return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getOpenFileDescriptorCount();
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("lettuce-"))
                .toList();
    }
}
