package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.Connect;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.servers.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that are made before their server runs. */
@InTier(Tier.STANDARD)
class LazyConnectionTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final ClientOptions LAZY =
            ClientOptions.defaults().connect(Connect.LAZY).renewedLease(LEASE);

    private static LockClient lazy(RedisServer server, Through library) {
        return LockClient.over(library.source(server, TIMEOUT), LAZY);
    }

    private static void assertUnavailable(LockClient client, BackendException.Kind kind, String message) {
        try (MachineLateness lateness = new MachineLateness()) {
            long began = System.nanoTime();
            assertThatExceptionOfType(BackendException.class)
                    .isThrownBy(() -> client.lock("orders/42").tryAcquire())
                    .withMessageContaining(message)
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(kind));
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isLessThan(TIMEOUT.plus(TIMEOUT.dividedBy(2)).plus(lateness.allowance()));
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_call_fails_while_the_server_is_down_and_the_queue_and_renewals_work_once_it_runs(Through library)
            throws InterruptedException {
        try (RedisServer server = RedisServer.start()) {
            server.kill();
            try (LockClient first = lazy(server, library);
                    LockClient second = lazy(server, library)) {
                assertThat(first.capabilities().mayEvictLocks()).isTrue();
                assertUnavailable(first, BackendException.Kind.UNAVAILABLE, "not connected yet");
                server.restart();
                try (Lease lease = first.lock("orders/42").acquire()) {
                    assertThat(first.capabilities().mayEvictLocks()).isFalse();
                    assertThat(second.lock("orders/42").tryAcquire()).isEmpty();
                    CompletableFuture<Lease> next = second.lock("orders/42").acquireAsync();
                    await().during(LEASE.plusSeconds(1))
                            .atMost(LEASE.multipliedBy(3))
                            .until(() -> lease.state() == LeaseState.HELD);
                    assertThat(next).isNotDone();
                    lease.close();
                    try (Lease following = next.join()) {
                        assertThat(following.fencingToken()).isGreaterThan(lease.fencingToken());
                    }
                }
            }
        }
    }

    @Test
    void an_acquisition_that_waits_gets_the_lock_when_the_server_starts() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            server.kill();
            try (LockClient client =
                    LockClient.connect(server.uri() + "?connect=lazy&unavailableAfter=1m", ClientOptions.defaults())) {
                CompletableFuture<Lease> waiting = client.lock("orders/42").acquireAsync();
                client.lock("orders/43")
                        .tryAcquireAsync(Duration.ZERO)
                        .handle((none, failure) -> failure)
                        .join();
                assertThat(waiting).isNotDone();
                server.restart();
                try (Lease lease = waiting.join()) {
                    assertThat(lease.state()).isEqualTo(LeaseState.HELD);
                }
            }
        }
    }

    @Test
    void a_server_that_evicts_is_refused_by_each_call_until_it_is_corrected() throws InterruptedException {
        try (RedisServer server = RedisServer.start("maxmemory-policy allkeys-lru");
                LockClient client = lazy(server, Through.JEDIS)) {
            for (int calls = 0; calls < 2; calls++) {
                assertUnavailable(client, BackendException.Kind.INCOMPATIBLE, "maxmemory-policy allkeys-lru");
            }
            server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            client.lock("orders/42").acquire().close();
        }
    }

    @Test
    void a_wrong_password_is_refused_by_each_call() {
        try (RedisServer server = RedisServer.start("requirepass secret");
                LockClient client = lazy(server, Through.JEDIS)) {
            assertUnavailable(client, BackendException.Kind.DENIED, "NOAUTH");
        }
    }

    @Test
    void what_is_wrong_without_a_server_is_refused_as_the_client_is_made() {
        assertThatExceptionOfType(InvalidArgumentException.class)
                .isThrownBy(() -> LockClient.connect("redis://127.0.0.1:1?connect=lazy&colour=red"))
                .withMessageContaining("colour");
        assertThatExceptionOfType(InvalidArgumentException.class)
                .isThrownBy(() -> LockClient.connect("redis://127.0.0.1:1?connect=later"))
                .withMessageContaining("connect=later is neither eager nor lazy");
        assertThatExceptionOfType(UnsupportedCapabilityException.class)
                .isThrownBy(() ->
                        LockClient.connect("redlock://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3?connect=lazy&ordering=fifo"))
                .withMessageContaining("ordering is FIFO");
        assertThatExceptionOfType(UnsupportedCapabilityException.class)
                .isThrownBy(() -> LockClient.over(
                        context -> {
                            throw new AssertionError("opened");
                        },
                        LAZY))
                .withMessageContaining("connect is LAZY");
    }

    /** A server that accepts connections and never answers. */
    @Test
    void closing_ends_a_call_that_waits_for_the_connection() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            LockClient client =
                    LockClient.connect("redis://127.0.0.1:" + silent.getLocalPort() + "?commandTimeout=1m", LAZY);
            CompletableFuture<Lease> waiting = client.lock("orders/42").acquireAsync();
            try (Socket never = silent.accept()) {
                assertThat(never.isConnected()).isTrue();
                long began = System.nanoTime();
                client.close();
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));
                await().until(waiting::isDone);
                assertThat(waiting.handle((lease, failure) -> failure).join())
                        .isInstanceOf(ClientClosedException.class);
            }
        }
    }

    @Test
    void a_client_whose_server_never_came_closes_at_once() {
        try (RedisServer server = RedisServer.start()) {
            server.kill();
            LockClient client = lazy(server, Through.JEDIS);
            assertUnavailable(client, BackendException.Kind.UNAVAILABLE, "not connected yet");
            try (MachineLateness lateness = new MachineLateness()) {
                long began = System.nanoTime();
                client.close();
                assertThat(Duration.ofNanos(System.nanoTime() - began))
                        .isLessThan(Duration.ofSeconds(1).plus(lateness.allowance()));
            }
        }
    }

    /** The attempt to connect runs on the caller's thread then. */
    @Test
    void neither_closing_nor_another_caller_waits_for_an_attempt_on_an_executor_that_runs_it_in_place()
            throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            LockClient client = LockClient.connect(
                    "redis://127.0.0.1:" + silent.getLocalPort() + "?commandTimeout=30s", LAZY.executor(Runnable::run));
            CompletableFuture<Object> first =
                    CompletableFuture.supplyAsync(() -> client.lock("orders/42").tryAcquireAsync(Duration.ZERO));
            try (Socket never = silent.accept()) {
                assertThat(never.isConnected()).isTrue();
                long began = System.nanoTime();
                client.close();
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
            }
            await().until(first::isDone);
        }
    }

    @Test
    void a_hundred_threads_that_call_while_the_server_comes_up_all_get_their_locks() {
        try (RedisServer server = RedisServer.start()) {
            server.kill();
            try (LockClient client =
                    LockClient.connect(server.uri() + "?connect=lazy&unavailableAfter=1m", ClientOptions.defaults())) {
                ExecutorService callers = Executors.newFixedThreadPool(100);
                try {
                    List<CompletableFuture<Void>> all = IntStream.range(0, 100)
                            .mapToObj(caller -> CompletableFuture.runAsync(
                                    () -> client.lock("orders/" + caller % 10)
                                            .acquireAsync()
                                            .join()
                                            .close(),
                                    callers))
                            .toList();
                    assertThat(all).noneMatch(CompletableFuture::isDone);
                    server.restart();
                    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                            .join();
                    assertThat(String.valueOf(server.command("CLIENT", "LIST")).lines())
                            .as("connections of one backend")
                            .hasSizeLessThan(50);
                } finally {
                    callers.shutdownNow();
                }
            }
        }
    }

    @Test
    void a_wrong_password_is_not_in_what_a_call_says() {
        try (RedisServer server = RedisServer.start("requirepass secret");
                LockClient client = LockClient.connect(
                        "redis://:Xa7Secret9@127.0.0.1:" + server.port() + "?connect=lazy", ClientOptions.defaults())) {
            for (int calls = 0; calls < 2; calls++) {
                assertThatExceptionOfType(BackendException.class)
                        .isThrownBy(() -> client.lock("orders/42").tryAcquire())
                        .withMessageNotContaining("Xa7Secret9")
                        .satisfies(e -> assertThat(e.kind()).isEqualTo(BackendException.Kind.DENIED));
            }
        }
    }
}
