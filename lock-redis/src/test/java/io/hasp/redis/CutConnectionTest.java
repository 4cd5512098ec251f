package io.hasp.redis;

import static io.hasp.redis.TestClient.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Transfer;
import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that servers and networks close: a request that finds its socket closed is sent a second time. */
@InTier(Tier.STANDARD)
class CutConnectionTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** By our own code; Redisson sends nothing twice here. */
    private static RedisServer server;

    /** Stands still: what is fast enough does not depend on this machine. */
    private long now;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void empty() {
        server.command("FLUSHALL");
    }

    @ParameterizedTest
    @EnumSource(value = Through.class, names = "REDISSON", mode = EnumSource.Mode.EXCLUDE)
    void fa7_the_first_call_after_the_server_has_closed_idle_connections_succeeds(Through library) {
        callsSucceedAfterIdleTimes(library);
    }

    /** Redisson connects again at once, so that a call may meet the moment at which the server closes the next socket: once, not always. */
    @Test
    void fa7_the_first_call_through_redisson_after_the_server_has_closed_idle_connections_succeeds() {
        Throwable failure = catchThrowable(() -> callsSucceedAfterIdleTimes(Through.REDISSON));
        for (int run = 1; run < 4 && failure instanceof BackendFailure; run++) {
            failure = catchThrowable(() -> callsSucceedAfterIdleTimes(Through.REDISSON));
        }
        assertThat(failure).isNull();
    }

    private static void callsSucceedAfterIdleTimes(Through library) {
        try (RedisServer impatient = RedisServer.start("timeout 1");
                TestClient client = new TestClient(library.source(impatient, TIMEOUT))) {
            Grant grant = client.granted("a");
            awaitIdleConnectionsClosed(impatient, library);
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Renewed.class);
            awaitIdleConnectionsClosed(impatient, library);
            assertThat(client.acquire("b")).isInstanceOf(Attempt.Busy.class);
            assertThat(client.release("b")).isEqualTo(Released.NOT_HELD);
            awaitIdleConnectionsClosed(impatient, library);
            assertThat(client.release("a")).isEqualTo(Released.RELEASED);
            awaitIdleConnectionsClosed(impatient, library);
            client.granted("c");
        }
    }

    /** Redisson connects again at once; so for it a while passes in which every connection is closed once. */
    private static void awaitIdleConnectionsClosed(RedisServer impatient, Through library) {
        if (library != Through.REDISSON) {
            await().until(() -> normalConnections(impatient).lines().count() == 1);
        } else {
            String before = ids(normalConnections(impatient));
            await().until(() -> before.lines().noneMatch(ids(normalConnections(impatient))::contains));
        }
    }

    private static String normalConnections(RedisServer server) {
        return String.valueOf(server.command("CLIENT", "LIST", "TYPE", "normal"));
    }

    private static String ids(String clients) {
        return clients.replaceAll("(?m)^(id=\\d+ ).*$", "$1");
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void fe4_an_acquire_whose_reply_was_cut_off_gets_its_own_grant_and_a_tombstone_at_its_release(Through library) {
        try (World world = new World(library)) {
            world.cutAt("GRANTED");
            Grant grant = world.client.granted("a");
            assertThat(server.command("GET", KEY)).asString().startsWith("1|a|H|" + grant.token() + "|");

            assertThat(world.client.release("a")).isEqualTo(Released.RELEASED);
            assertThat(server.command("EXISTS", KEY + ":x:a")).isEqualTo(1L);
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_place_in_the_queue_is_kept_when_its_reply_was_cut_off(Through library) {
        try (World world = new World(library)) {
            world.others.granted("a");
            world.cutAt("BUSY");
            assertThat(world.client.acquire("b")).isInstanceOf(Attempt.Busy.class);
            assertThat(server.command("ZCARD", KEY + ":q")).isEqualTo(1L);
            assertThat(world.client.release("b")).isEqualTo(Released.NOT_HELD);
            assertThat(server.command("EXISTS", KEY + ":x:b", KEY + ":q")).isEqualTo(1L);
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_transfer_whose_reply_was_cut_off_gets_its_own_grant_and_is_not_reported_as_a_loss(Through library) {
        try (World world = new World(library)) {
            Grant grant = world.client.granted("a");
            world.cutAt("GRANTED");
            Claim next = TestClient.claim("b", TestClient.LEASE, true);
            Transfer transfer = world.client.backend.transfer(grant, next, signal -> {});
            Attempt attempt = TestClient.answer(transfer.attempt());
            BackendFailure failure =
                    catchThrowableOfType(BackendFailure.class, () -> TestClient.answer(transfer.released()));
            assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.UNKNOWN);
            assertThat(attempt).isInstanceOf(Attempt.Granted.class);
            assertThat(((Attempt.Granted) attempt).grant().token()).isGreaterThan(grant.token());
            assertThat(world.client.release("b")).isEqualTo(Released.RELEASED);
            assertThat(server.command("EXISTS", KEY + ":x:b")).isEqualTo(1L);
        }
    }

    /** The reply to the second request does not show whether the first has ended the hold, or the hold had ended before. */
    @ParameterizedTest
    @EnumSource(Through.class)
    void a_release_whose_reply_was_cut_off_is_not_reported_as_a_loss(Through library) {
        try (World world = new World(library)) {
            world.client.granted("a");
            world.cutAt("RELEASED");
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> world.client.release("a"));
            assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.UNKNOWN);
            assertThat(server.command("EXISTS", KEY)).isEqualTo(0L);
            assertThat(world.client.release("a")).isEqualTo(Released.NOT_HELD);
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_second_request_that_is_refused_does_not_hide_that_the_first_may_have_been_served(Through library) {
        try (World world = new World(library)) {
            proxyAction(world, () -> server.command("SET", KEY + ":w", "someone's value"));
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> world.client.acquire("b"));
            assertThat(failure).hasMessageContaining("WRONGTYPE " + KEY + ":w");
            assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.UNKNOWN);
        }
    }

    private static void proxyAction(World world, Runnable action) {
        world.others.granted("a");
        world.proxy.when(Direction.REPLIES, "BUSY", connection -> {
            action.run();
            connection.cut(ConnectionEnd.FIN);
        });
    }

    /** Lettuce notices the end of its socket, and sends nothing. */
    @Test
    void a_server_that_is_gone_is_asked_no_third_time() {
        try (World world = new World(Through.JEDIS)) {
            world.client.granted("a");
            world.proxy.refuse();
            world.proxy.cut(ConnectionEnd.FIN);
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> world.client.tryAcquire("b"));
            assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.UNAVAILABLE);
            assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.UNKNOWN);
        }
    }

    /** No socket was cut: there was none. Once is enough, and nothing of it can have arrived. */
    @ParameterizedTest
    @EnumSource(Through.class)
    void a_request_that_found_no_server_was_certainly_not_applied(Through library) {
        try (World world = new World(library)) {
            world.proxy.refuse();
            world.proxy.cut(ConnectionEnd.FIN);
            assertThatExceptionOfType(BackendFailure.class).isThrownBy(() -> world.client.tryAcquire("a"));
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> world.client.tryAcquire("b"));
            assertThat(failure).hasMessageContaining("can't be reached");
            assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.NOT_APPLIED);
        }
    }

    /**
     * The engine never releases a holder that does not wait: the backend itself must end a request that may still arrive. The holder does not
     * ask again, because this release could end its grant.
     */
    @ParameterizedTest
    @EnumSource(Through.class)
    void an_acquire_that_does_not_wait_and_was_cut_off_is_buried(Through library) {
        try (World world = new World(library)) {
            world.others.granted("a");
            world.cutAt("BUSY");
            assertThat(world.client.tryAcquire("b")).isInstanceOf(Attempt.Gone.class);
            assertThat(world.client.tryAcquire("c")).isInstanceOf(Attempt.Busy.class);
            // No call waits for that release.
            await().untilAsserted(() ->
                    assertThat(server.command("EXISTS", KEY + ":x:b")).isEqualTo(1L));
        }
    }

    /** It is found lost, but its first request may still arrive, when other holders have come and gone. */
    @ParameterizedTest
    @EnumSource(Through.class)
    void a_late_request_of_a_lost_lock_that_was_to_stay_taken_takes_nothing(Through library) {
        try (World world = new World(library)) {
            world.cutAt("GRANTED");
            Grant lost = world.client.granted("a");
            server.command("DEL", KEY);
            world.others.granted("b");
            world.others.release("b");
            assertThat(TestClient.answer(world.client.backend.retain(lost.claim())))
                    .isEqualTo(Released.NOT_HELD);
            assertThat(world.others.tryAcquire("a")).isInstanceOf(Attempt.Gone.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_connection_that_ends_late_is_a_failure_because_the_caller_has_waited_enough(Through library) {
        try (World world = new World(library)) {
            world.proxy.when(Direction.REPLIES, "GRANTED", connection -> {
                now += TIMEOUT.toNanos();
                connection.cut(ConnectionEnd.FIN);
            });
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> world.client.acquire("a"));
            assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.UNKNOWN);
            assertThat(TestClient.answer(world.client.backend.release(TestClient.claim("a", TestClient.LEASE, false))))
                    .isEqualTo(Released.RELEASED);
        }
    }

    /** A client behind a proxy, and one that is not. */
    private final class World implements AutoCloseable {
        final FaultProxy proxy = FaultProxy.before(server.port());
        final TestClient others = new TestClient(Through.JEDIS.source(server, TIMEOUT));
        final TestClient client;

        World(Through library) {
            client = new TestClient(
                    library.source(proxy.port(), TIMEOUT), new Clock(() -> now), ForkJoinPool.commonPool());
        }

        /** The server has served a request whose answer does not arrive. */
        void cutAt(String reply) {
            proxy.when(Direction.REPLIES, reply, connection -> connection.cut(ConnectionEnd.RST));
        }

        @Override
        public void close() {
            proxy.heal();
            client.close();
            others.close();
            proxy.close();
        }
    }
}
