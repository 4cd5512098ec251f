package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import io.hasp.redis.lettuce.LettuceConnection;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.RedisConnection;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Released;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Beside clients as an application would have them: with reconnection and replays on. */
class OwnLettuceClientTest implements SilentServerRules {
    private final RedisServer server = RedisServer.start();
    private final Queue<RedisClient> clients = new ConcurrentLinkedQueue<>();

    @Override
    public RedisServer server() {
        return server;
    }

    @Override
    public BackendSource source(RedisServer server, Duration timeout) {
        return RedisBackend.onLettuce(lettuce(), uri(timeout));
    }

    private RedisClient lettuce() {
        RedisClient client = RedisClient.create();
        clients.add(client);
        return client;
    }

    @AfterEach
    void shutDown() {
        clients.forEach(RedisClient::shutdown);
        clients.clear();
    }

    @Test
    void closing_the_backend_leaves_the_applications_client_and_its_connections_open() {
        RedisClient lettuce = lettuce();
        RedisURI uri = RedisURI.create(server.uri());
        try (StatefulRedisConnection<String, String> before = lettuce.connect(uri)) {
            try (TestClient client = new TestClient(RedisBackend.onLettuce(lettuce, uri))) {
                client.granted("a");
                client.release("a");
            }
            assertThat(before.sync().ping()).isEqualTo("PONG");
        }
        try (TestClient client = new TestClient(RedisBackend.onLettuce(lettuce, uri));
                StatefulRedisConnection<String, String> after = lettuce.connect(uri)) {
            client.granted("b");
            assertThat(after.sync().ping()).isEqualTo("PONG");
        }
    }

    @Test
    void threads_that_several_clients_share_outlive_the_backend() {
        ClientResources shared = ClientResources.create();
        RedisClient lettuce = RedisClient.create(shared);
        clients.add(lettuce);
        RedisURI uri = RedisURI.create(server.uri());
        try {
            new TestClient(RedisBackend.onLettuce(lettuce, uri)).close();
            try (TestClient client = new TestClient(RedisBackend.onLettuce(lettuce, uri));
                    StatefulRedisConnection<String, String> own = lettuce.connect(uri)) {
                client.granted("a");
                assertThat(own.sync().ping()).isEqualTo("PONG");
            }
        } finally {
            clients.forEach(RedisClient::shutdown);
            shared.shutdown(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    @Test
    void a_client_that_the_application_has_shut_down_is_a_failure_that_leaves_nothing() {
        RedisClient lettuce = lettuce();
        TestClient client = new TestClient(RedisBackend.onLettuce(lettuce, RedisURI.create(server.uri())));
        lettuce.shutdown();
        assertThatExceptionOfType(BackendFailure.class).isThrownBy(() -> client.acquire("a"));
        assertThatExceptionOfType(BackendFailure.class)
                .isThrownBy(() -> client.acquire("b"))
                .withMessageContaining("its client was shut down")
                .matches(failure -> failure.outcome() == BackendFailure.Outcome.NOT_APPLIED);
        try (MachineLateness lateness = new MachineLateness()) {
            long begun = System.nanoTime();
            client.close();
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isLessThan(Duration.ofSeconds(1).plus(lateness.allowance()));
        }
    }

    /** Its threads end with what they still had to do, and so do its timers. */
    @Test
    void calls_under_way_fail_in_time_when_the_application_shuts_its_client_down() throws Exception {
        RedisClient lettuce = lettuce();
        Duration timeout = Duration.ofMillis(500);
        try (LettuceConnection connection = LettuceConnection.beside(lettuce, uri(timeout))) {
            assertThat(echo(connection).get(5, TimeUnit.SECONDS)).isEqualTo("x");
            server.pause();
            List<CompletableFuture<String>> calls = manyEchoes(connection);
            lettuce.shutdown();
            for (CompletableFuture<String> call : calls) {
                assertThat(call.handle((reply, failure) -> failure).get(5, TimeUnit.SECONDS))
                        .isNotNull();
            }
        } finally {
            server.resume();
        }
    }

    @Test
    void a_short_queue_of_the_application_does_not_break_connections() throws Exception {
        RedisClient lettuce = lettuce();
        lettuce.setOptions(ClientOptions.builder().requestQueueSize(1).build());
        try (LettuceConnection connection = LettuceConnection.beside(lettuce, uri(Duration.ofSeconds(5)))) {
            assertThat(echo(connection).get(5, TimeUnit.SECONDS)).isEqualTo("x");
            for (CompletableFuture<String> call : manyEchoes(connection)) {
                assertThat(call.get(5, TimeUnit.SECONDS)).isEqualTo("x");
            }
        }
    }

    @Test
    void a_timeout_without_end_is_taken() throws Exception {
        RedisURI endless = uri(Duration.ofSeconds(Long.MAX_VALUE));
        try (LettuceConnection connection = LettuceConnection.beside(lettuce(), endless)) {
            connection.subscribe("c", new ChannelListener(message -> {}, () -> {}, () -> {}));
            assertThat(echo(connection).get(5, TimeUnit.SECONDS)).isEqualTo("x");
        }
    }

    private RedisURI uri(Duration timeout) {
        RedisURI uri = RedisURI.create(server.uri());
        uri.setTimeout(timeout);
        return uri;
    }

    private static List<CompletableFuture<String>> manyEchoes(LettuceConnection connection) {
        return Stream.generate(() -> echo(connection)).limit(5_000).toList();
    }

    private static CompletableFuture<String> echo(LettuceConnection connection) {
        return connection
                .evaluate(RedisConnection.Command.EVAL, "return ARGV[1]", List.of(), List.of("x"))
                .toCompletableFuture();
    }

    @Test
    void the_key_prefix_can_be_told() {
        RedisClient lettuce = lettuce();
        RedisURI uri = RedisURI.create(server.uri());
        try (TestClient client = new TestClient(
                RedisBackend.onLettuce(lettuce, uri, RedisLocks.defaults().keyPrefix("app:locks")))) {
            client.granted("a");
            assertThat(server.command("KEYS", "app:locks:*")).asInstanceOf(LIST).isNotEmpty();
            assertThat(server.command("KEYS", "hasp:*")).asInstanceOf(LIST).isEmpty();
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisLocks.defaults().keyPrefix("a{b"))
                .withMessageContaining("keyPrefix is 'a{b'");
    }

    /** As any client of which no request can arrive late. */
    @Test
    void a_holder_needs_no_tombstone_because_nothing_is_replayed() {
        try (TestClient client = open()) {
            client.granted("a");
            assertThat(client.release("a")).isEqualTo(Released.RELEASED);
            assertThat(server.command("EXISTS", TestClient.KEY + ":x:a")).isEqualTo(0L);
        }
    }

    @Test
    void a_server_that_may_evict_locks_is_refused_unless_that_is_accepted() {
        try (RedisServer evicting = RedisServer.start("maxmemory-policy allkeys-lru")) {
            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(
                            () -> new TestClient(RedisBackend.onLettuce(lettuce(), RedisURI.create(evicting.uri()))))
                    .withMessageContaining("Eviction.ACCEPTED");
            try (TestClient client = new TestClient(RedisBackend.onLettuce(
                    lettuce(),
                    RedisURI.create(evicting.uri()),
                    RedisLocks.defaults().eviction(Eviction.ACCEPTED)))) {
                client.granted("a");
                assertThat(client.backend.capabilities().evicts()).isTrue();
            }
        }
    }

    @Test
    void sentinels_may_name_the_server() {
        try (SentinelServers servers = SentinelServers.start(Duration.ofMinutes(1))) {
            RedisURI uri = RedisURI.create(
                    "redis-sentinel://" + servers.addresses() + "/3?sentinelMasterId=" + SentinelServers.MASTER_ID);
            try (TestClient client = new TestClient(RedisBackend.onLettuce(lettuce(), uri))) {
                client.granted("a");
                servers.failOver();
                await().ignoreExceptionsInstanceOf(BackendFailure.class).until(() -> client.release("a") != null);
                client.granted("b");
                assertThat(client.signals).contains("a SUSPECT", "a RESTORED");
                assertThat(servers.master().command("INFO", "keyspace"))
                        .asString()
                        .contains("db3:");
            }
        }
    }
}
