package io.hasp.redis;

import static io.hasp.redis.TestClient.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Transfer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Connections that nodes and networks close: a request that finds its socket closed is sent a second time. */
@InTier(Tier.STANDARD)
class RedlockCutConnectionTest {
    private static final int NODES = 3;
    private static final Duration PATIENT = Duration.ofSeconds(5);

    private static RedlockWorld world(String... options) {
        return new RedlockWorld(NODES, UnaryOperator.identity(), options);
    }

    @Test
    void fa7_the_first_call_after_the_nodes_have_closed_idle_connections_succeeds() {
        try (RedlockWorld world = world("timeout 1")) {
            TestClient client = world.client();
            Grant grant = client.granted("a");
            awaitIdleConnectionsClosed(world);
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Renewed.class);
            awaitIdleConnectionsClosed(world);
            assertThat(client.tryAcquire("b")).isInstanceOf(Attempt.Busy.class);
            awaitIdleConnectionsClosed(world);
            Transfer transfer =
                    client.backend.transfer(grant, TestClient.claim("c", TestClient.LEASE, true), signal -> {});
            assertThat(TestClient.answer(transfer.released())).isEqualTo(Released.RELEASED);
            assertThat(TestClient.answer(transfer.attempt())).isInstanceOf(Attempt.Granted.class);
            awaitIdleConnectionsClosed(world);
            assertThat(client.release("c")).isEqualTo(Released.RELEASED);
            awaitIdleConnectionsClosed(world);
            client.granted("d");
            await().until(() -> world.held() == NODES);
        }
    }

    private static void awaitIdleConnectionsClosed(RedlockWorld world) {
        for (RedisServer node : world.nodes.nodes()) {
            await().until(() -> String.valueOf(node.command("CLIENT", "LIST", "TYPE", "normal"))
                            .lines()
                            .count()
                    == 1);
        }
    }

    /** The node has served a request whose answer does not arrive. */
    private static void cutAt(RedlockWorld world, String reply) {
        world.proxies.forEach(
                proxy -> proxy.when(Direction.REPLIES, reply, connection -> connection.cut(ConnectionEnd.RST)));
    }

    private static long buried(RedlockWorld world, String holder) {
        return world.nodes.having(KEY + ":x:" + holder);
    }

    @Test
    void fe4_an_acquire_whose_replies_were_cut_off_gets_its_own_grant_and_a_tombstone_at_its_release() {
        try (RedlockWorld world = world()) {
            TestClient client = world.behindProxies(PATIENT);
            cutAt(world, "GRANTED");
            Grant grant = client.granted("a");
            for (RedisServer node : world.nodes.nodes()) {
                await().until(() ->
                        String.valueOf(node.command("GET", KEY + ":t")).equals("R1|" + grant.token() + "|a"));
            }
            assertThat(client.release("a")).isEqualTo(Released.RELEASED);
            await().until(() -> buried(world, "a") == NODES);
        }
    }

    @Test
    void fe4_a_token_whose_acknowledgements_were_cut_off_is_acknowledged_again() {
        try (RedlockWorld world = world()) {
            TestClient client = world.behindProxies(PATIENT);
            cutAt(world, "ACK");
            Grant grant = client.granted("a");
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Renewed.class);
            assertThat(client.release("a")).isEqualTo(Released.RELEASED);
        }
    }

    @Test
    void a_renewal_whose_replies_were_cut_off_is_repeated_and_the_holder_gets_a_tombstone_at_its_release() {
        try (RedlockWorld world = world()) {
            TestClient client = world.behindProxies(PATIENT);
            Grant grant = client.granted("a");
            cutAt(world, "\n1\r");
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Renewed.class);
            assertThat(client.release("a")).isEqualTo(Released.RELEASED);
            await().until(() -> buried(world, "a") == NODES);
        }
    }

    /** The first copy of the request to the third node may come late. The engine releases the holder only after an unknown outcome. */
    @Test
    void an_attempt_without_a_majority_that_was_sent_twice_to_a_node_has_an_unknown_outcome() {
        try (RedlockWorld world = world()) {
            TestClient client = world.behindProxies(PATIENT);
            client.granted("warm-up");
            client.release("warm-up");
            await().until(() -> world.held() == 0);
            List<FaultProxy> refusing = world.proxies.subList(0, 2);
            world.node(0).command("SET", KEY, "someone's value");
            world.node(1).command("SET", KEY, "someone's value");
            refusing.forEach(proxy -> proxy.set(Direction.REPLIES, TrafficPolicy.HOLD));
            FaultProxy granting = world.proxies.get(2);
            granting.when(Direction.REPLIES, "GRANTED", connection -> {
                granting.when(
                        Direction.REPLIES,
                        "GRANTED",
                        again -> refusing.forEach(proxy -> proxy.set(Direction.REPLIES, TrafficPolicy.PASS)));
                connection.cut(ConnectionEnd.RST);
            });
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> client.tryAcquire("a"));
            assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
            assertThatThrownBy(() -> client.release("a")).isInstanceOf(BackendFailure.class);
            await().until(() -> buried(world, "a") == 1);
        }
    }

    /** The reply to the second request does not show whether the first has ended the hold, or the hold had ended before. */
    @Test
    void a_release_whose_replies_were_cut_off_is_not_reported_as_a_loss() {
        try (RedlockWorld world = world()) {
            TestClient client = world.behindProxies(PATIENT);
            client.granted("a");
            cutAt(world, "RELEASED");
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> client.release("a"));
            assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
            assertThat(failure).hasMessageEndingWith("may have been lost before");
            await().until(() -> world.held() == 0);
            assertThat(client.release("a")).isEqualTo(Released.NOT_HELD);
        }
    }

    /** Two answers leave it open, because one of them is the second to its node; the third node's answer does not. */
    @Test
    void a_release_that_one_more_node_can_decide_waits_for_that_node() {
        try (RedlockWorld world = world()) {
            TestClient client = world.behindProxies(PATIENT);
            client.granted("a");
            await().until(() -> world.held() == NODES);
            world.nodes.nodes().forEach(node -> node.command("DEL", KEY));
            world.proxies.get(0).when(Direction.REPLIES, "NOT_HELD", connection -> connection.cut(ConnectionEnd.RST));
            world.proxies.get(2).set(Direction.REPLIES, TrafficPolicy.HOLD);
            CompletableFuture<Released> found = CompletableFuture.supplyAsync(() -> client.release("a"));
            assertThatThrownBy(() -> found.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            world.proxies.get(2).set(Direction.REPLIES, TrafficPolicy.PASS);
            assertThat(found).succeedsWithin(PATIENT).isEqualTo(Released.NOT_HELD);
        }
    }

    @Test
    void an_acquire_that_does_not_wait_and_was_cut_off_is_buried() {
        try (RedlockWorld world = world()) {
            world.client().granted("a");
            TestClient client = world.behindProxies(PATIENT);
            cutAt(world, "BUSY");
            assertThat(client.tryAcquire("b")).isInstanceOf(Attempt.Busy.class);
            await().until(() -> buried(world, "b") == NODES);
        }
    }

    /** The release of a partial grant may arrive late, when the same holder has been granted the lock in a later round. */
    @Test
    void a_partial_grant_that_is_given_back_twice_ends_its_holder() {
        try (RedlockWorld world = world()) {
            TestClient client = world.behindProxies(PATIENT);
            world.node(0).command("SET", KEY, "someone's value");
            world.node(1).command("SET", KEY, "someone's value");
            world.proxies.get(2).when(Direction.REPLIES, "RELEASED", connection -> connection.cut(ConnectionEnd.RST));
            assertThat(catchThrowableOfType(BackendFailure.class, () -> client.acquire("a")))
                    .isNotNull();
            assertThat(world.node(2).command("EXISTS", KEY)).isEqualTo(0L);
            assertThat(world.node(2).command("EXISTS", KEY + ":x:a")).isEqualTo(1L);
        }
    }

    @Test
    void a_second_request_that_can_not_be_sent_does_not_hide_that_the_first_may_have_been_served() {
        try (RedlockWorld world = world()) {
            TestClient client = world.behindProxies(Duration.ofSeconds(1));
            client.granted("a");
            client.release("a");
            world.proxies.forEach(proxy -> proxy.when(Direction.REPLIES, "GRANTED", connection -> {
                proxy.refuse();
                connection.cut(ConnectionEnd.RST);
            }));
            Claim claim = TestClient.claim("b", TestClient.LEASE, false);
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> client.acquire(claim));
            assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.UNAVAILABLE);
            assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
            world.proxies.forEach(proxy -> proxy.heal());
            await().until(() -> world.held() == 0);
        }
    }
}
