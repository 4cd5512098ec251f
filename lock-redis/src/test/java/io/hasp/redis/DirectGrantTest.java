package io.hasp.redis;

import static io.hasp.redis.TestClient.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.ProxiedConnection;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.holder.GrantMessage;
import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Renewal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A lock that a release has given to a waiter, believed on the server's message alone. */
@InTier(Tier.STANDARD)
class DirectGrantTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration CLAIM = Duration.ofMillis(1_250);
    /** Less what clocks may differ by. */
    private static final Duration BELIEVED = Duration.ofNanos(1_235_500_000);

    private static RedisServer server;

    /** For the waiter time stands still, unless a test moves it. */
    private long now;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_waiter_that_was_told_does_not_ask_again(Through library) throws Exception {
        try (World world = new World(library, () -> now)) {
            world.handOver();
            now += Duration.ofMillis(400).toNanos();
            world.proxy.set(Direction.REQUESTS, TrafficPolicy.DROP);

            Grant grant = world.waiter.granted("w");

            assertThat(grant.validity()).isEqualTo(BELIEVED.minusMillis(400));
            assertThat(server.command("GET", KEY + ":t")).isEqualTo("1|" + grant.token() + "|w");
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void its_first_renewal_gives_it_the_whole_lease(Through library) throws Exception {
        try (World world = new World(library, () -> now)) {
            world.handOver();
            Grant grant = world.waiter.granted("w");
            assertThat(grant.validity()).isEqualTo(BELIEVED);

            assertThat(world.waiter.renew(grant)).isEqualTo(new Renewal.Renewed(TestClient.LEASE));

            assertThat((Long) server.command("PTTL", KEY)).isGreaterThan(CLAIM.toMillis());
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void asking_a_second_time_asks_the_server(Through library) throws Exception {
        try (World world = new World(library, () -> now)) {
            world.handOver();
            Grant grant = world.waiter.granted("w");

            Grant confirmed = world.waiter.granted("w");

            assertThat(grant.validity()).isEqualTo(BELIEVED);
            assertThat(confirmed).isEqualTo(Grant.of(grant.claim(), grant.token(), TestClient.LEASE));
        }
    }

    @Test
    void a_waiter_asks_if_little_of_the_claim_is_left() throws Exception {
        try (World world = new World(Through.JEDIS, () -> now)) {
            world.handOver();
            now += CLAIM.dividedBy(2).toNanos();

            assertThat(world.waiter.granted("w").validity()).isEqualTo(TestClient.LEASE);
        }
    }

    @Test
    void a_waiter_asks_for_a_lease_that_will_not_be_renewed() throws Exception {
        try (World world = new World(Through.JEDIS, () -> now)) {
            world.handOver();
            Claim explicit = Claim.fixedLease(TestClient.NAME, new HolderId("w"), Duration.ofSeconds(9), true);

            assertThat(((Attempt.Granted) world.waiter.acquire(explicit))
                            .grant()
                            .validity())
                    .isEqualTo(explicit.lease());
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void le11_a_message_that_was_under_way_for_a_whole_claim_is_not_believed(Through library) throws Exception {
        toldLate(library, System::nanoTime);
    }

    /** A mutant: the same, with a client for which no time passes. */
    @Test
    void counting_from_the_receipt_of_the_message_gives_two_holders() {
        assertThatThrownBy(() -> toldLate(Through.JEDIS, () -> now))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a waiter that was notified too late, while another client has the lock");
    }

    private static void toldLate(Through library, LongSupplier clock) throws Exception {
        try (World world = new World(library, clock)) {
            ProxiedConnection late = world.handOverHoldingTheMessage();
            await().until(() -> Long.valueOf(0).equals(server.command("EXISTS", KEY)));
            world.others.granted("next");
            late.set(Direction.REPLIES, TrafficPolicy.PASS);
            world.awaitTold();

            assertThat(world.waiter.acquire("w"))
                    .as("a waiter that was notified too late, while another client has the lock")
                    .isInstanceOf(Attempt.Busy.class);
        }
    }

    /** No time passes for this one either, but it has asked since. */
    @Test
    void a_refusal_that_knows_a_newer_token_says_nothing_about_the_age_of_an_older_grant() throws Exception {
        try (World world = new World(Through.JEDIS, () -> now)) {
            ProxiedConnection late = world.handOverHoldingTheMessage();
            await().until(() -> Long.valueOf(0).equals(server.command("EXISTS", KEY)));
            world.others.granted("next");
            assertThat(world.waiter.acquire("w")).isInstanceOf(Attempt.Busy.class);
            late.set(Direction.REPLIES, TrafficPolicy.PASS);
            world.awaitTold();

            assertThat(world.waiter.acquire("w")).isInstanceOf(Attempt.Busy.class);
        }
    }

    /** The user that releases may not write: the server stops in the middle of the script. */
    @Test
    void no_waiter_is_told_of_a_grant_that_the_server_refused_to_write() throws Exception {
        try (World world = new World(Through.JEDIS, () -> now)) {
            world.others.granted("a");
            world.waiter.acquire("w");
            world.waiter.signals.clear();
            server.command("ACL", "SETUSER", "default", "-set");
            try {
                assertThatThrownBy(() -> world.others.release("a")).hasMessageContaining("refused");
            } finally {
                server.command("ACL", "SETUSER", "default", "+set");
            }

            assertThat(server.command("EXISTS", KEY)).isEqualTo(0L);
            assertThat(world.waiter.signals.poll(300, TimeUnit.MILLISECONDS)).isNull();
        }
    }

    @Test
    void a_message_that_is_none_is_passed_over() {
        assertThat(GrantMessage.parse("w|17|1250|hasp:{a|b}"))
                .contains(new GrantMessage("w", 17, CLAIM, false, "hasp:{a|b}"));
        assertThat(GrantMessage.parse("")).isEmpty();
        assertThat(GrantMessage.parse("w|x|1250|hasp:{a}")).isEmpty();
        assertThat(GrantMessage.parse("w|hasp:{a}")).isEmpty();
    }

    /** One client that holds and asks directly, and one that waits behind a proxy. */
    private static final class World implements AutoCloseable {
        final FaultProxy proxy = FaultProxy.before(server.port());
        final TestClient others = new TestClient(Through.JEDIS.source(server, TIMEOUT));
        final TestClient waiter;

        World(Through library, LongSupplier clock) {
            server.command("FLUSHALL");
            waiter = new TestClient(library.source(proxy.port(), TIMEOUT), new Clock(clock), ForkJoinPool.commonPool());
        }

        /** Passes the lock to a waiter that has received the message. */
        void handOver() throws InterruptedException {
            others.granted("a");
            assertThat(waiter.acquire("w")).isInstanceOf(Attempt.Busy.class);
            waiter.signals.clear();
            others.release("a");
            awaitTold();
        }

        /** Passes the lock to a waiter whose message is held back. */
        ProxiedConnection handOverHoldingTheMessage() throws Exception {
            CompletableFuture<ProxiedConnection> held = proxy.when(
                    Direction.REPLIES, "w|", connection -> connection.set(Direction.REPLIES, TrafficPolicy.HOLD));
            others.granted("a");
            assertThat(waiter.acquire("w")).isInstanceOf(Attempt.Busy.class);
            waiter.signals.clear();
            others.release("a");
            return held.get(10, TimeUnit.SECONDS);
        }

        void awaitTold() throws InterruptedException {
            assertThat(waiter.signals.poll(10, TimeUnit.SECONDS)).isEqualTo("w MAYBE_FREE");
        }

        @Override
        public void close() {
            proxy.heal();
            waiter.close();
            others.close();
            proxy.close();
        }
    }

    /** As after a crash of a process with many waiters. */
    @Test
    void a_release_serves_a_waiter_behind_hundreds_of_dead_ones() throws Exception {
        try (TestClient holder = new TestClient(Through.JEDIS.source(server, Duration.ofSeconds(5)));
                TestClient waiter = new TestClient(Through.JEDIS.source(server, Duration.ofSeconds(5)))) {
            server.command("FLUSHALL");
            holder.granted("a");
            for (int i = 0; i < 350; i++) {
                server.command("ZADD", TestClient.KEY + ":q", Integer.toString(i), "dead" + i);
            }
            assertThat(waiter.acquire("w")).isInstanceOf(Attempt.Busy.class);
            holder.release("a");
            assertThat(waiter.signals.poll(5, TimeUnit.SECONDS)).isEqualTo("w MAYBE_FREE");
        }
    }
}
