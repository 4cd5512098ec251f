package io.hasp.redis;

import static io.hasp.redis.ServerUnderTest.assertFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Connect;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.BackendSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that forbid messages, and clients that do without. */
@InTier(Tier.STANDARD)
class PollingTest {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final RedisLocks POLLING = RedisLocks.defaults().notification(Notification.POLL);

    private final RedisServer server = RedisServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    private BackendSource source(Through library, RedisLocks locks) {
        return library.source(RedisConfig.of("127.0.0.1", server.port())
                .credentials("locks", "pw")
                .locks(locks));
    }

    private TestClient open(Through library, RedisLocks locks) {
        return new TestClient(source(library, locks));
    }

    private LockClient connect(Through library, RedisLocks locks) {
        return LockClient.over(source(library, locks), ClientOptions.defaults());
    }

    private void allow(String... commands) {
        List<String> command = new ArrayList<>(
                List.of("ACL", "SETUSER", "locks", "reset", "on", ">pw", "~hasp:*", "&hasp:*", "+@all"));
        command.addAll(List.of(commands));
        server.command(command.toArray(String[]::new));
    }

    static Stream<Arguments> refusals() {
        return Stream.of(Through.values())
                .flatMap(library -> Stream.of(
                        Arguments.of(library, List.of("-publish")),
                        Arguments.of(library, List.of("-pubsub")),
                        Arguments.of(library, List.of("-subscribe")),
                        Arguments.of(library, List.of("-publish", "-subscribe", "-pubsub"))));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void li3_waiters_poll_where_the_server_refuses_messages(Through library, List<String> forbidden) {
        allow(forbidden.toArray(String[]::new));
        try (TestClient one = open(library, RedisLocks.defaults());
                TestClient two = open(library, RedisLocks.defaults())) {
            assertThat(one.backend.capabilities().polls()).isTrue();
            assertThat(one.backend.capabilities().recalls()).isFalse();
            one.granted("a");
            Attempt refused = two.acquire("b");
            assertThat(refused)
                    .isInstanceOfSatisfying(
                            Attempt.Busy.class,
                            busy -> assertThat(busy.pollAfter()).isLessThanOrEqualTo(POLL));
            one.release("a");
            assertThat(server.command("GET", TestClient.KEY)).asString().startsWith("1|b|C|");
            two.granted("b");
            assertThat(two.signals).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS", "LETTUCE"})
    void li1_waiters_of_clients_that_poll_get_the_lock_in_their_order(Through library) throws Exception {
        allow("-publish", "-subscribe", "-pubsub");
        ConcurrentLinkedQueue<Integer> order = new ConcurrentLinkedQueue<>();
        try (LockClient holder = connect(library, POLLING);
                LockClient waiter = connect(library, POLLING);
                LockClient other = connect(library, POLLING)) {
            Lease held = holder.lock("n").acquire();
            List<CompletableFuture<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int number = i;
                LockClient client = i % 2 == 0 ? waiter : other;
                all.add(client.lock("n")
                        .acquireAsync()
                        .thenAccept(lease -> {
                            order.add(number);
                            lease.close();
                        })
                        .toCompletableFuture());
                if (i < 2) {
                    long waiting = i + 1L;
                    await().until(() -> Objects.equals(server.command("ZCARD", "hasp:{n}:q"), waiting));
                }
            }
            held.close();
            for (CompletableFuture<?> one : all) {
                one.get(10, TimeUnit.SECONDS);
            }
            assertThat(order).startsWith(0).hasSize(4);
            assertThat(order.stream().toList().indexOf(1)).isLessThanOrEqualTo(2);
        }
    }

    /** Three hand-overs by polls cost no more than a poll each. */
    @ParameterizedTest
    @EnumSource(Through.class)
    void li3_a_poll_finds_the_lock_soon_after_its_release(Through library) throws Exception {
        allow("-publish", "-subscribe", "-pubsub");
        try (LockClient holder = connect(library, RedisLocks.defaults());
                LockClient waiter = connect(library, RedisLocks.defaults())) {
            for (int i = 0; i < 3; i++) {
                Lease held = holder.lock("n").acquire();
                CompletableFuture<Lease> next = waiter.lock("n").acquireAsync().toCompletableFuture();
                await().until(() -> Objects.equals(server.command("ZCARD", "hasp:{n}:q"), 1L));
                held.close();
                long released = System.nanoTime();
                next.get(10, TimeUnit.SECONDS).close();
                assertThat(Duration.ofNanos(System.nanoTime() - released)).isLessThan(POLL.multipliedBy(3));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS", "LETTUCE"})
    void a_client_that_does_without_messages_needs_no_permission_for_them(Through library) {
        allow();
        try (TestClient client = open(library, POLLING)) {
            assertThat(client.backend.capabilities().polls()).isTrue();
            client.granted("a");
            assertThat(server.command("PUBSUB", "CHANNELS")).isEqualTo(List.of());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JEDIS", "LETTUCE"})
    void a_client_that_wants_messages_is_refused_where_there_are_none(Through library) {
        for (String command : List.of("-publish", "-pubsub", "-subscribe")) {
            allow(command);
            assertFailure(
                    () -> open(library, RedisLocks.defaults().notification(Notification.MESSAGES)),
                    Kind.DENIED,
                    Outcome.NOT_APPLIED,
                    "refused");
        }
    }

    @Test
    void clients_that_poll_and_clients_that_listen_share_a_queue() throws Exception {
        allow();
        try (LockClient listens = connect(Through.JEDIS, RedisLocks.defaults());
                LockClient polls = connect(Through.LETTUCE, POLLING)) {
            assertThat(listens.capabilities().waitersPoll()).isFalse();
            assertThat(polls.capabilities().waitersPoll()).isTrue();
            for (LockClient first : List.of(listens, polls)) {
                LockClient second = first == listens ? polls : listens;
                Lease held = first.lock("n").acquire();
                CompletableFuture<Lease> next = second.lock("n").acquireAsync().toCompletableFuture();
                await().until(() -> Objects.equals(server.command("ZCARD", "hasp:{n}:q"), 1L));
                held.close();
                next.get(5, TimeUnit.SECONDS).close();
            }
        }
    }

    /** No message could say that another client wants the lock. */
    @Test
    void a_client_that_polls_keeps_no_locks() {
        allow("-publish");
        ClientOptions keeping = ClientOptions.defaults().keep(Duration.ofSeconds(1));
        assertThatExceptionOfType(UnsupportedCapabilityException.class)
                .isThrownBy(() -> LockClient.over(source(Through.JEDIS, RedisLocks.defaults()), keeping));
        for (Connect connect : Connect.values()) {
            assertThatExceptionOfType(UnsupportedCapabilityException.class)
                    .isThrownBy(() -> LockClient.over(source(Through.JEDIS, POLLING), keeping.connect(connect)));
        }
    }
}
