package io.hasp.redis;

import static io.hasp.redis.TestClient.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.redis.redlock.RedlockProtocol;
import io.hasp.redis.redlock.RedlockScripts;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.LuaScript;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Decisions of a majority of five real servers, some of them stopped, slow, cut off or cleared. */
interface MajorityRules {
    /** Generous, so that a busy machine is no dead node. */
    Duration NODE_TIMEOUT = Timings.units(10);
    /** A hint for a busy machine, where the bound itself is the rule. */
    Duration LATENESS = NODE_TIMEOUT;

    /** The right one, unless a mutant says otherwise. */
    default RedlockProtocol mutate(RedlockProtocol right) {
        return right;
    }

    private RedlockWorld world(String... options) {
        return new RedlockWorld(5, this::mutate, options);
    }

    @Test
    default void a_cycle_is_three_rounds() {
        try (RedlockWorld world = world()) {
            TestClient client = world.client();
            client.granted("warm-up");
            client.release("warm-up");
            await().until(() -> world.held() == 0);
            world.nodes.nodes().forEach(node -> node.command("CONFIG", "RESETSTAT"));
            client.granted("a");
            assertThat(client.release("a")).isEqualTo(Released.RELEASED);
            await().until(() -> world.held() == 0);
            assertThat(world.nodes.nodes())
                    .allSatisfy(node -> assertThat(String.valueOf(node.command("INFO", "commandstats")))
                            .contains("cmdstat_evalsha:calls=3,"));
        }
    }

    @Test
    default void asking_again_is_the_same_grant_with_the_same_token() {
        try (RedlockWorld world = world()) {
            TestClient client = world.client();
            Grant grant = client.granted("a");
            assertThat(client.granted("a").token()).isEqualTo(grant.token());
            assertThat(client.granted("a").token()).isEqualTo(grant.token());
            assertThat(world.client().tryAcquire("b")).isInstanceOf(Attempt.Busy.class);
        }
    }

    @Test
    default void fa4_two_stopped_nodes_cost_less_than_a_node_timeout() {
        try (RedlockWorld world = world()) {
            TestClient client = world.client(NODE_TIMEOUT);
            client.granted("warm-up");
            client.release("warm-up");
            world.node(0).pause();
            world.node(3).pause();
            long[] nanos = new long[100];
            for (int i = 0; i < nanos.length; i++) {
                long start = System.nanoTime();
                client.granted("a" + i);
                nanos[i] = System.nanoTime() - start;
                assertThat(client.release("a" + i)).isEqualTo(Released.RELEASED);
            }
            Arrays.sort(nanos);
            assertThat(Duration.ofNanos(nanos[98])).as("p99 of an acquisition").isLessThan(NODE_TIMEOUT);
        }
    }

    @Test
    default void fa4_three_stopped_nodes_are_a_typed_failure_and_nothing_is_left_on_the_others() {
        try (RedlockWorld world = world()) {
            TestClient client = world.client(NODE_TIMEOUT);
            for (int i = 0; i < 3; i++) {
                world.node(i).pause();
            }
            long start = System.nanoTime();
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> client.acquire("a"));
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            long left = List.of(world.node(3), world.node(4)).stream()
                    .filter(node -> Long.valueOf(1).equals(node.command("EXISTS", KEY)))
                    .count();
            assertThat(failure).as("a lock without a majority was granted").isNotNull();
            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(failure).hasMessageContaining("of 5 nodes 2 answered");
            assertThat(left)
                    .as("nodes that still keep a lock that was not granted")
                    .isZero();
            assertThat(took)
                    .as("time until they were free")
                    .isLessThan(NODE_TIMEOUT.multipliedBy(2).plus(LATENESS));
        }
    }

    @Test
    default void fa4_a_stopped_node_that_goes_on_gets_the_release_that_it_missed() {
        try (RedlockWorld world = world()) {
            TestClient client = world.client(NODE_TIMEOUT);
            world.node(2).pause();
            client.granted("a");
            client.release("a");
            client.granted("b");
            client.release("b");
            world.node(2).resume();
            await().until(() -> world.held() == 0);
            await().until(() -> world.nodes.having(KEY + ":x:a") + world.nodes.having(KEY + ":x:b") > 0);
            client.granted("c");
            await().untilAsserted(
                            () -> assertThat(client.renew(client.granted("c"))).isInstanceOf(Renewal.Renewed.class));
            await().until(() -> world.held() == 5);
        }
    }

    @Test
    default void a_minority_behind_a_partition_is_not_missed_and_joins_again() {
        try (RedlockWorld world = world()) {
            TestClient client = world.behindProxies(NODE_TIMEOUT);
            TestClient other = world.client();
            world.proxies.get(1).set(TrafficPolicy.HOLD);
            world.proxies.get(4).set(TrafficPolicy.DROP);
            Grant grant = client.granted("a");
            assertThat(other.tryAcquire("b")).isInstanceOf(Attempt.Busy.class);
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Renewed.class);
            world.proxies.get(1).heal();
            world.proxies.get(4).heal();
            await().untilAsserted(() -> {
                assertThat(client.renew(grant)).isInstanceOf(Renewal.Renewed.class);
                assertThat(world.held()).isEqualTo(5);
            });
            assertThat(client.release("a")).isEqualTo(Released.RELEASED);
            assertThat(other.tryAcquire("c")).isInstanceOf(Attempt.Granted.class);
        }
    }

    @Test
    default void fa4_a_slow_node_is_not_waited_for_and_catches_up() {
        Duration slowness = NODE_TIMEOUT.dividedBy(4);
        try (RedlockWorld world = world()) {
            TestClient client = world.behindProxies(NODE_TIMEOUT);
            client.granted("warm-up");
            client.release("warm-up");
            world.proxies.get(2).set(TrafficPolicy.delayed(slowness));
            long[] nanos = new long[9];
            for (int i = 0; i < nanos.length; i++) {
                long start = System.nanoTime();
                client.granted("a" + i);
                nanos[i] = System.nanoTime() - start;
                assertThat(client.release("a" + i)).isEqualTo(Released.RELEASED);
            }
            Arrays.sort(nanos);
            assertThat(Duration.ofNanos(nanos[4]))
                    .as("median of an acquisition")
                    .isLessThan(slowness);
            await().until(() -> world.held() == 0);
        }
    }

    @Test
    default void fa4_two_slow_nodes_delay_no_refusal_and_no_hand_over() {
        Duration slowness = NODE_TIMEOUT.dividedBy(4);
        try (RedlockWorld world = world()) {
            TestClient holder = world.client();
            TestClient refused = world.behindProxies(NODE_TIMEOUT);
            refused.granted("warm-up");
            refused.release("warm-up");
            await().until(() -> world.held() == 0);
            holder.granted("a");
            await().until(() -> world.held() == 5);
            world.proxies.get(1).set(TrafficPolicy.delayed(slowness));
            world.proxies.get(3).set(TrafficPolicy.delayed(slowness));
            long[] nanos = new long[9];
            for (int i = 0; i < nanos.length; i++) {
                long start = System.nanoTime();
                assertThat(refused.tryAcquire("b" + i)).isInstanceOf(Attempt.Busy.class);
                nanos[i] = System.nanoTime() - start;
            }
            Arrays.sort(nanos);
            assertThat(Duration.ofNanos(nanos[4])).as("median of a refusal").isLessThan(slowness);
            assertThat(refused.acquire("w")).isInstanceOf(Attempt.Busy.class);
            holder.release("a");
            long start = System.nanoTime();
            assertThat(refused.acquire("w")).isInstanceOf(Attempt.Granted.class);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(slowness);
            assertThat(refused.release("w")).isEqualTo(Released.RELEASED);
            await().until(() -> world.held() == 0);
        }
    }

    @Test
    default void fa5_replies_lost_by_a_majority_leave_no_stuck_lock() {
        try (RedlockWorld world = world()) {
            TestClient client = world.behindProxies(NODE_TIMEOUT);
            for (int i = 0; i < 3; i++) {
                world.proxies.get(i).set(Direction.REPLIES, TrafficPolicy.DROP);
            }
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> client.tryAcquire("a"));
            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.UNKNOWN);
            for (int i = 0; i < 3; i++) {
                world.proxies.get(i).heal();
            }
            await().until(() -> world.held() == 0);
            assertThat(world.client().tryAcquire("b")).isInstanceOf(Attempt.Granted.class);
        }
    }

    @Test
    default void le12_nodes_that_are_slower_than_the_lease_are_a_failure_and_give_everything_back() {
        Duration lease = Duration.ofMillis(600);
        try (RedlockWorld world = world()) {
            TestClient client = world.behindProxies(Duration.ofSeconds(3));
            client.granted("warm-up");
            client.release("warm-up");
            world.proxies.forEach(proxy -> proxy.set(Direction.REPLIES, TrafficPolicy.delayed(Duration.ofMillis(400))));
            BackendFailure failure = catchThrowableOfType(
                    BackendFailure.class, () -> client.acquire(TestClient.claim("a", lease, true)));
            assertThat(failure).as("a lease that was over when it was granted").isNotNull();
            assertThat(failure).hasMessageContaining("nothing is left of the lease");
            world.proxies.forEach(proxy -> proxy.heal());
            await().until(() -> world.held() == 0);
        }
    }

    @Test
    default void le13_an_extension_on_a_minority_is_a_loss() {
        try (RedlockWorld world = world()) {
            TestClient client = world.client();
            Grant grant = client.granted("a");
            assertThat(client.renew(grant)).isEqualTo(new Renewal.Renewed(TestClient.LEASE));
            for (int i = 0; i < 3; i++) {
                world.node(i).command("SET", KEY, "R1|other|H|meta", "PX", "30000");
            }
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Lost.class);
        }
    }

    @Test
    default void le13_an_extension_that_a_majority_does_not_answer_is_no_loss_yet() {
        try (RedlockWorld world = world()) {
            TestClient client = world.client(NODE_TIMEOUT);
            Grant grant = client.granted("a");
            for (int i = 0; i < 3; i++) {
                world.node(i).pause();
            }
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Unknown.class);
            for (int i = 0; i < 3; i++) {
                world.node(i).resume();
            }
            await().until(() -> client.renew(grant) instanceof Renewal.Renewed);
        }
    }

    /** The node grants to b after a's lease, and acknowledged b's token; a's larger token arrives late. */
    @Test
    default void fe4_a_token_is_acknowledged_only_for_the_present_holder() throws IOException {
        try (RedlockWorld world = world();
                RespConnection node = world.node(0).connect()) {
            RedlockScripts scripts = world.redlock().scripts();
            run(node, scripts.grant(), "a", "30000", "0", "", "meta");
            node.command("DEL", KEY);
            run(node, scripts.grant(), "b", "30000", "0", "", "meta");
            assertThat(run(node, scripts.token(), "b", "1000")).isEqualTo("ACK");
            assertThat(run(node, scripts.token(), "a", "2000"))
                    .as("a token of a holder whose lease has ended, while another client has the lock")
                    .isEqualTo("REFUSED");
        }
    }

    @Test
    default void fe4_an_equal_token_is_acknowledged_for_the_same_holder_only() throws IOException {
        try (RedlockWorld world = world();
                RespConnection node = world.node(0).connect()) {
            RedlockScripts scripts = world.redlock().scripts();
            run(node, scripts.grant(), "a", "30000", "0", "", "meta");
            assertThat(run(node, scripts.token(), "a", "1000")).isEqualTo("ACK");
            assertThat(run(node, scripts.token(), "a", "1000")).isEqualTo("ACK");
            assertThat(run(node, scripts.token(), "a", "999")).isEqualTo("REFUSED");
            node.command("DEL", KEY);
            run(node, scripts.grant(), "b", "30000", "0", "", "meta");
            assertThat(run(node, scripts.token(), "b", "1000")).isEqualTo("REFUSED");
            assertThat(run(node, scripts.token(), "b", "1001")).isEqualTo("ACK");
        }
    }

    private static String run(RespConnection node, LuaScript script, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("EVAL", script.text(), "5"));
        command.addAll(LockKeys.of(KEY, arguments[0]));
        command.addAll(List.of(arguments));
        return Objects.requireNonNull(node.text(command.toArray(String[]::new)));
    }
}
