package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.RedisConfig.Library;
import io.hasp.spi.BackendSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that end their connections and go on later. */
@Timeout(120)
@InTier(Tier.STANDARD)
class DisconnectTest {
    private static final RedisServer SERVER = RedisServer.start();
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final ClientOptions OPTIONS = ClientOptions.defaults().renewedLease(Duration.ofSeconds(6));

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static LockClient client(RedisServer server, Library library, ClientOptions options) {
        return LockClient.over(RedisBackend.on(Configs.of(server, library, TIMEOUT)), options);
    }

    /** Without the one that asks. */
    private static long connections(RedisServer server) {
        return String.valueOf(server.command("CLIENT", "LIST")).lines().count() - 1;
    }

    private static void awaitNone(RedisServer server) {
        await().untilAsserted(() -> assertThat(connections(server)).isZero());
    }

    @ParameterizedTest
    @EnumSource(Library.class)
    void no_socket_stays_and_the_next_call_connects(Library library) throws InterruptedException {
        try (RedisServer server = RedisServer.start();
                LockClient client = client(server, library, OPTIONS)) {
            long token = 0;
            for (int rounds = 0; rounds < 3; rounds++) {
                try (Lease lease = client.lock("orders/42").acquire()) {
                    assertThat(lease.fencingToken()).isGreaterThan(token);
                    token = lease.fencingToken();
                    assertThat(connections(server)).isPositive();
                }
                assertThat(client.disconnect()).isTrue();
                awaitNone(server);
                assertThat(client.capabilities().mayEvictLocks()).isFalse();
                assertThat(client.disconnect()).as("again").isTrue();
            }
        }
    }

    @Test
    void so_does_one_beside_an_applications_lettuce_client() throws InterruptedException {
        RedisClient lettuce = RedisClient.create();
        try (RedisServer server = RedisServer.start();
                LockClient client =
                        LockClient.over(RedisBackend.onLettuce(lettuce, RedisURI.create(server.uri())), OPTIONS)) {
            client.lock("orders/42").acquire().close();
            assertThat(client.disconnect()).isTrue();
            awaitNone(server);
            client.lock("orders/42").acquire().close();
        } finally {
            lettuce.shutdown();
        }
    }

    @Test
    void a_lease_of_another_thread_is_waited_for_and_stays_held() throws InterruptedException {
        try (LockClient client = client(SERVER, Library.JEDIS, OPTIONS);
                LockClient other = client(SERVER, Library.JEDIS, OPTIONS)) {
            Lease lease = client.lock("waited").acquireAsync().join();
            CompletableFuture<Boolean> disconnecting = CompletableFuture.supplyAsync(client::disconnect);
            await().during(Duration.ofSeconds(8))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> lease.state() == LeaseState.HELD && !disconnecting.isDone());
            assertThat(other.lock("waited").tryAcquire()).isEmpty();
            lease.close();
            assertThat(disconnecting.join()).isTrue();
        }
    }

    @Test
    void a_lease_of_the_calling_thread_and_an_acquisition_that_waits_keep_the_connections()
            throws InterruptedException {
        try (LockClient client = client(SERVER, Library.LETTUCE, OPTIONS.closeWithin(Duration.ofSeconds(20)));
                LockClient other = client(SERVER, Library.JEDIS, OPTIONS.closeWithin(SHORT))) {
            try (Lease lease = client.lock("own").acquire()) {
                long began = System.nanoTime();
                assertThat(client.disconnect()).isFalse();
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
                assertThat(lease.state()).isEqualTo(LeaseState.HELD);
                CompletableFuture<Lease> waiting = other.lock("own").acquireAsync();
                assertThat(other.disconnect()).isFalse();
                lease.close();
                waiting.join().close();
            }
            assertThat(client.disconnect()).isTrue();
        }
    }

    @Test
    void a_kept_lock_is_waited_for() throws InterruptedException {
        ClientOptions keeping = OPTIONS.keep(Duration.ofSeconds(1));
        try (RedisServer server = RedisServer.start();
                LockClient client = client(server, Library.JEDIS, keeping)) {
            client.lock("kept").acquire().close();
            assertThat(client.disconnect()).isTrue();
            awaitNone(server);
            assertThat(String.valueOf(server.command("KEYS", "*:lock*"))).doesNotContain("kept}:holder");
            try (LockClient other = client(server, Library.JEDIS, OPTIONS)) {
                assertThat(other.lock("kept").tryAcquire()).hasValueSatisfying(Lease::close);
            }
        }
    }

    @Test
    void while_the_server_is_down_calls_fail_and_the_client_recovers() throws InterruptedException {
        try (RedisServer server = RedisServer.start();
                LockClient client = client(server, Library.JEDIS, OPTIONS)) {
            client.lock("orders/42").acquire().close();
            assertThat(client.disconnect()).isTrue();
            server.kill();
            assertThatExceptionOfType(BackendException.class)
                    .isThrownBy(() -> client.lock("orders/42").tryAcquire());
            server.restart();
            client.lock("orders/42").acquire().close();
        }
    }

    /** A call either keeps the connections or connects anew; it never meets ones that end. */
    @ParameterizedTest
    @EnumSource(Library.class)
    void calls_that_come_at_the_same_time_all_succeed(Library library) {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger inside = new AtomicInteger();
        try (LockClient client = client(SERVER, library, OPTIONS.closeWithin(SHORT))) {
            List<CompletableFuture<Integer>> callers = new ArrayList<>();
            for (int caller = 0; caller < 4; caller++) {
                String name = "busy/" + caller / 2;
                callers.add(CompletableFuture.supplyAsync(() -> {
                    int calls = 0;
                    while (!over.get()) {
                        try (Lease lease = client.lock(name).acquireAsync().join()) {
                            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
                            inside.incrementAndGet();
                        }
                        calls++;
                        LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
                    }
                    return calls;
                }));
            }
            int disconnected = 0;
            for (int rounds = 0; rounds < 40; rounds++) {
                disconnected += client.disconnect() ? 1 : 0;
            }
            over.set(true);
            int calls = callers.stream().mapToInt(CompletableFuture::join).sum();
            assertThat(calls).isPositive().isEqualTo(inside.get());
            assertThat(disconnected).as("of 40 times").isPositive();
        }
    }

    @Test
    @SuppressWarnings("UnnecessaryMethodReference") // The backend itself can be opened again, its method can't.
    void a_closed_client_and_a_backend_that_opens_once_are_refused() {
        LockClient client = client(SERVER, Library.JEDIS, OPTIONS);
        client.close();
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(client::disconnect);
        BackendSource declared = RedisBackend.on(Configs.of(SERVER, Library.JEDIS, TIMEOUT));
        try (LockClient once = LockClient.over(declared::open, OPTIONS)) {
            assertThatExceptionOfType(UnsupportedCapabilityException.class)
                    .isThrownBy(once::disconnect)
                    .withMessageContaining("opened again");
        }
    }
}
