package io.hasp.redis;

import static io.hasp.redis.TestClient.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.ProxiedConnection;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.Attempt;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A subscription of which one end is gone, and the other does not know. */
@InTier(Tier.STANDARD)
class HalfOpenSubscriptionTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** The time between two questions whether the channel is heard, that for an answer, and some more for a busy machine. */
    private static final Duration NOTICED = Duration.ofSeconds(15);

    private RedisServer server;
    private FaultProxy proxy;
    private TestClient others;

    @BeforeEach
    void start() {
        server = RedisServer.start();
        proxy = FaultProxy.before(server.port());
        others = new TestClient(Through.JEDIS.source(server, TIMEOUT));
        others.granted("a");
    }

    @AfterEach
    void stop() {
        others.close();
        proxy.close();
        server.close();
    }

    private TestClient waiter(Through library) {
        TestClient waiter = new TestClient(library.source(proxy.port(), TIMEOUT));
        assertThat(waiter.acquire("w")).isInstanceOf(Attempt.Busy.class);
        return waiter;
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void li3_a_waiter_is_not_passed_over_whose_server_hears_no_listener(Through library) {
        try (TestClient waiter = waiter(library)) {
            subscription(waiter).cut(ConnectionEnd.HALF_OPEN);
            await().until(() -> listeners(waiter) == 0);
            assertThat(waiter.acquire("w")).isInstanceOf(Attempt.Busy.class);
            others.release("a");
            assertThat(server.command("GET", KEY)).asString().startsWith("1|w|C|");
            waiter.granted("w");
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void li3_a_client_whose_waiter_is_not_heard_listens_again_at_once(Through library) {
        try (TestClient waiter = waiter(library)) {
            subscription(waiter).cut(ConnectionEnd.HALF_OPEN);
            await().until(() -> listeners(waiter) == 0);
            await().atMost(Duration.ofSeconds(3)).until(() -> {
                waiter.acquire("w");
                return listeners(waiter) == 1;
            });
            await().until(() -> waiter.signals.contains("w MAYBE_FREE"));
            waiter.acquire("w");
            assertThat(server.command("HGET", KEY + ":w", "w")).asString().contains("|hasp:c:" + waiter.id + "|");
        }
    }

    /** Of a keeper, which asks nothing. */
    @ParameterizedTest
    @EnumSource(Through.class)
    void an_idle_client_finds_out_that_the_server_has_left_its_subscription(Through library) {
        try (TestClient waiter = waiter(library)) {
            subscription(waiter).cut(ConnectionEnd.HALF_OPEN);
            await().until(() -> listeners(waiter) == 0);
            await().atMost(NOTICED).until(() -> listeners(waiter) == 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void an_idle_client_finds_out_that_no_message_reaches_it(Through library) {
        try (TestClient waiter = waiter(library)) {
            ProxiedConnection before = subscription(waiter);
            before.set(Direction.REPLIES, TrafficPolicy.DROP);
            await().atMost(NOTICED).until(() -> !before.open());
            await().atMost(NOTICED).until(() -> listeners(waiter) == 1);
            assertThat(waiter.signals).contains("w MAYBE_FREE");
        }
    }

    /** Sockets that were idle are replaced without a word, and the former server answers its subscriber as before. */
    @Test
    void li3_a_waiter_is_woken_by_the_server_to_which_the_address_leads_by_now() throws Exception {
        try (RedisServer next = RedisServer.start();
                TestClient there = new TestClient(Through.JEDIS.source(next, TIMEOUT));
                TestClient waiter = waiter(Through.JEDIS)) {
            assumeTrue(Tier.current() == Tier.FULL, "takes more than half a minute");
            proxy.leadTo(next.port());
            TimeUnit.SECONDS.sleep(31); // As long as a socket counts as fresh.
            there.granted("b");
            waiter.signals.clear();
            await().atMost(Duration.ofSeconds(5)).until(() -> {
                waiter.acquire("v");
                return List.of("hasp:c:" + waiter.id, 1L)
                        .equals(next.command("PUBSUB", "NUMSUB", "hasp:c:" + waiter.id));
            });
            waiter.acquire("v");
            there.release("b");
            await().until(() -> waiter.signals.contains("v MAYBE_FREE"));
            assertThat(waiter.granted("v")).isNotNull();
        }
    }

    /** A keeper gives back what it keeps when its subscription ends, so silence must not end one. */
    @ParameterizedTest
    @EnumSource(Through.class)
    void a_subscription_outlives_a_silence_that_is_longer_than_it_waits_for_an_answer(Through library) {
        try (TestClient idle = new TestClient(library.source(proxy.port(), Duration.ofMillis(500)))) {
            ProxiedConnection subscription = subscription(idle);
            await().atMost(NOTICED).during(Duration.ofSeconds(8)).until(subscription::open);
        }
    }

    private long listeners(TestClient client) {
        return (Long)
                ((List<?>) Objects.requireNonNull(server.command("PUBSUB", "NUMSUB", "hasp:c:" + client.id))).get(1);
    }

    /** Its only connection that listens. */
    private ProxiedConnection subscription(TestClient client) {
        assertThat(listeners(client)).isEqualTo(1);
        String list = String.valueOf(server.command("CLIENT", "LIST", "TYPE", "pubsub"));
        return proxy.connections().stream()
                .filter(one -> list.contains(" addr=127.0.0.1:" + one.serverSidePort() + " "))
                .findFirst()
                .orElseThrow();
    }
}
