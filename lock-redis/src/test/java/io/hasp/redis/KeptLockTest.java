package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.ProxiedConnection;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.script.LockScript;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A lock that its client keeps after a release, on a real server, until another client wants it. */
@InTier(Tier.STANDARD)
class KeptLockTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration KEEP = Duration.ofSeconds(3);
    private static final String NAME = "orders/42";
    private static final String KEY = TestClient.KEY;

    private static RedisServer server;
    private final List<LockEvent> events = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void clear() {
        server.command("FLUSHALL");
    }

    private LockClient keeper(Through library) {
        return keeper(library, server.port());
    }

    private LockClient keeper(Through library, int port) {
        return LockClient.over(
                library.source(port, TIMEOUT),
                ClientOptions.defaults().keep(KEEP).addListener(events::add));
    }

    private static LockClient plain(Through library) {
        return LockClient.over(library.source(server, TIMEOUT), ClientOptions.defaults());
    }

    private static long used(LockClient client) throws InterruptedException {
        try (Lease lease = client.lock(NAME).acquire()) {
            return lease.fencingToken();
        }
    }

    private static boolean locked() {
        return Long.valueOf(1).equals(server.command("EXISTS", KEY));
    }

    private static long scripts() {
        String stats = String.valueOf(server.command("INFO", "commandstats"));
        return stats.lines()
                .filter(line -> line.startsWith("cmdstat_eval"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^:]*:calls=(\\d+).*", "$1")))
                .sum();
    }

    private boolean happened(Class<? extends LockEvent> kind) {
        return events.stream().anyMatch(kind::isInstance);
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_lock_that_nobody_else_wants_costs_nothing_to_use_again(Through library) throws Exception {
        try (LockClient keeper = keeper(library)) {
            long first = used(keeper);
            long before = scripts();
            for (int i = 1; i <= 200; i++) {
                assertThat(used(keeper)).isEqualTo(first + i);
            }
            assertThat(scripts()).isEqualTo(before);
        }
        assertThat(locked()).as("locked after its client was closed").isFalse();
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void tokens_grow_through_thousands_of_uses_and_what_the_server_gives_in_between(Through library) throws Exception {
        try (LockClient keeper = keeper(library)) {
            long last = 0;
            long before = scripts();
            for (int i = 0; i < 3_000; i++) {
                long token = used(keeper);
                assertThat(token).isGreaterThan(last);
                last = token;
            }
            assertThat(scripts() - before).as("one request for 256 uses").isBetween(10L, 30L);
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_waiter_gets_a_lock_that_is_only_kept_long_before_its_poll(Through library) throws Exception {
        try (LockClient keeper = keeper(library);
                LockClient other = plain(library)) {
            used(other);
            long quickest = Long.MAX_VALUE;
            for (int i = 0; i < 5; i++) {
                used(keeper);
                used(keeper);
                assertThat(locked()).isTrue();
                long begun = System.nanoTime();
                used(other);
                quickest = Math.min(quickest, System.nanoTime() - begun);
            }
            assertThat(Duration.ofNanos(quickest)).isLessThan(Duration.ofMillis(100));
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_try_gets_a_lock_that_is_only_kept_and_not_one_in_use(Through library) throws Exception {
        try (LockClient keeper = keeper(library);
                LockClient other = plain(library)) {
            used(keeper);
            Optional<Lease> got = other.lock(NAME).tryAcquire();
            assertThat(got).as("a lock that is only kept").isPresent();
            got.orElseThrow().release();
            try (Lease inUse = keeper.lock(NAME).acquire()) {
                assertThat(other.lock(NAME).tryAcquire()).as("a lock in use").isEmpty();
                await().untilAsserted(() ->
                        assertThat((String) server.command("GET", KEY)).doesNotContain("^"));
                inUse.release();
            }
            assertThat(locked()).as("kept although it was wanted").isFalse();
        }
    }

    /** The first request was cut off, so its holder is released, and that release is late. The next try has to be another holder. */
    @Test
    void a_try_that_is_made_again_does_not_lose_its_lock_to_a_late_release_of_itself() throws Exception {
        Duration patient = TIMEOUT.multipliedBy(3);
        try (FaultProxy proxy = FaultProxy.before(server.port());
                LockClient keeper = keeper(Through.JEDIS);
                LockClient third = plain(Through.JEDIS);
                LockClient other =
                        LockClient.over(Through.JEDIS.source(proxy.port(), patient), ClientOptions.defaults())) {
            used(third);
            used(keeper);
            proxy.when(Direction.REQUESTS, LockScript.ACQUIRE.sha(), connection -> connection.cut(ConnectionEnd.RST));
            CompletableFuture<ProxiedConnection> late = proxy.when(
                    Direction.REQUESTS,
                    LockScript.RELEASE.sha(),
                    connection -> connection.set(Direction.REQUESTS, TrafficPolicy.HOLD));
            Lease lease = other.lock(NAME).tryAcquire().orElseThrow();
            late.get(10, TimeUnit.SECONDS).set(Direction.REQUESTS, TrafficPolicy.PASS);
            await().untilAsserted(() ->
                    assertThat((List<?>) server.command("KEYS", KEY + ":x:*")).hasSize(1));

            assertThat(third.lock(NAME).tryAcquire())
                    .as("a lock that is held until " + lease.remaining())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_lock_in_use_goes_to_the_waiter_at_its_release(Through library) throws Exception {
        try (LockClient keeper = keeper(library);
                LockClient other = plain(library)) {
            Lease first = keeper.lock(NAME).acquire();
            CompletableFuture<Lease> waiter = other.lock(NAME).acquireAsync();
            await().until(() -> happened(LockEvent.Recalled.class));
            first.release();
            Lease second = waiter.get(5, TimeUnit.SECONDS);
            assertThat(second.fencingToken()).isGreaterThan(first.fencingToken() + 255);
            second.release();
            assertThat(happened(LockEvent.Kept.class)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void nothing_is_on_the_server_when_the_time_is_over(Through library) throws Exception {
        try (LockClient keeper = keeper(library)) {
            used(keeper);
            assertThat(locked()).isTrue();
            await().atMost(KEEP.plusSeconds(2)).until(() -> !locked());
            assertThat(events.stream().noneMatch(LockEvent.Lost.class::isInstance))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_floor_is_above_the_next_token_of_a_lock_that_was_kept(Through library) throws Exception {
        try (LockClient keeper = keeper(library);
                LockClient other = plain(library)) {
            long floor = used(keeper) + 1_000_000;
            other.lock(NAME).raiseTokenFloor(floor);
            assertThat(used(keeper)).isGreaterThan(floor);
            keeper.lock(NAME).raiseTokenFloor(floor + 1_000_000);
            assertThat(used(keeper)).isGreaterThan(floor + 1_000_000);
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_floor_is_not_raised_over_a_keeper_that_is_silent(Through library) throws Exception {
        try (FaultProxy proxy = FaultProxy.before(server.port());
                LockClient keeper = keeper(library, proxy.port());
                LockClient other = plain(library)) {
            long first = used(keeper);
            proxy.set(TrafficPolicy.HOLD);
            assertThatThrownBy(() -> other.lock(NAME).raiseTokenFloor(first + 1_000_000))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("was not raised");
            assertThat(used(keeper)).as("the present grant is still its own").isEqualTo(first + 1);
            proxy.heal();
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_client_that_is_cut_off_gives_back_what_it_keeps(Through library) throws Exception {
        try (FaultProxy proxy = FaultProxy.before(server.port());
                LockClient keeper = keeper(library, proxy.port())) {
            used(keeper);
            assertThat(locked()).isTrue();
            proxy.cut(ConnectionEnd.FIN);
            proxy.heal();
            await().atMost(KEEP.minusSeconds(1)).until(() -> !locked());
        }
    }

    /** It would get no recalls: each of its uses would cost the waiters the whole time of keeping. */
    @ParameterizedTest
    @EnumSource(Through.class)
    void a_client_that_cannot_subscribe_again_keeps_nothing(Through library) throws Exception {
        server.command("ACL", "SETUSER", "deaf", "reset", "on", ">p", "~*", "&*", "+@all");
        RedisConfig config = RedisConfig.of("127.0.0.1", server.port()).credentials("deaf", "p");
        try (LockClient keeper =
                LockClient.over(library.source(config), ClientOptions.defaults().keep(KEEP))) {
            used(keeper);
            assertThat(locked()).isTrue();
            server.command("ACL", "SETUSER", "deaf", "resetchannels");
            await().atMost(KEEP.minusSeconds(1)).until(() -> !locked());
            used(keeper);
            assertThat(locked()).as("kept although nobody could recall it").isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void what_an_administrator_deletes_is_nobody_s(Through library) throws Exception {
        try (LockClient keeper = keeper(library);
                LockClient other = plain(library)) {
            long first = used(keeper);
            server.command("DEL", KEY);
            try (Lease lease = other.lock(NAME).acquire()) {
                assertThat(lease.fencingToken()).isGreaterThan(first + 255);
                await().atMost(KEEP.plusSeconds(2)).until(() -> happened(LockEvent.Released.class));
                assertThat(locked()).isTrue();
            }
        }
    }
}
