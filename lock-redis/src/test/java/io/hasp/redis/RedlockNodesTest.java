package io.hasp.redis;

import static io.hasp.redis.TestClient.KEY;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.RedisReplication;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.redlock.RedlockProtocol;
import io.hasp.redis.redlock.RedlockScripts;
import io.hasp.redis.script.LuaScript;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Credentials;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Nodes that crash, come back with and without their data, have wrong clocks, or refuse. */
@InTier(Tier.STANDARD)
class RedlockNodesTest {
    private static final String COUNTER = KEY + ":t";
    private static final long DAY_MICROS = Duration.ofDays(1).toMillis() * 1000;

    private static RedlockWorld world(String... options) {
        return new RedlockWorld(5, UnaryOperator.identity(), options);
    }

    @Test
    void fa4_the_death_of_a_minority_is_survived_as_declared() {
        try (RedlockWorld world = world()) {
            TestClient holder = world.client();
            TestClient other = world.client();
            assertThat(holder.backend.capabilities().survives()).containsExactly(Capabilities.Survives.FAILOVER);
            Grant grant = holder.granted("a");
            world.node(0).kill();
            world.node(1).kill();
            assertThat(other.tryAcquire("b")).isInstanceOf(Attempt.Busy.class);
            assertThat(holder.renew(grant)).isInstanceOf(Renewal.Renewed.class);
            assertThat(holder.release("a")).isEqualTo(Released.RELEASED);
            assertThat(other.granted("c").token()).isGreaterThan(grant.token());
        }
    }

    @Test
    void a_node_that_is_a_replica_is_refused_at_connect() {
        try (RedlockWorld world = world()) {
            RedisReplication.follow(world.node(0), world.node(1).port());
            assertThatThrownBy(world::client)
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.INCOMPATIBLE))
                    .hasMessageContaining(world.node(0).port() + " is a replica");
        }
    }

    @Test
    void fa2_a_minority_that_forgets_gives_nothing_away_and_is_told_again() {
        try (RedlockWorld world = world()) {
            TestClient holder = world.client();
            Grant grant = holder.granted("a");
            await().until(() -> world.held() == 5);
            world.node(0).restartWithoutData();
            world.node(3).restartWithoutData();
            assertThat(world.client().tryAcquire("b")).isInstanceOf(Attempt.Busy.class);
            await().until(() -> holder.renew(grant) instanceof Renewal.Renewed && world.held() == 5);
            assertThat(String.valueOf(world.node(0).command("GET", COUNTER))).isEqualTo("R1|" + grant.token() + "|a");
        }
    }

    /** One forgets and two never granted: together a majority. This is what Redlock does not promise. */
    @Test
    void fa2_nodes_that_forgot_and_nodes_that_never_granted_make_two_holders_with_tokens_in_order() {
        try (RedlockWorld world = world()) {
            world.node(3).kill();
            world.node(4).kill();
            TestClient first = world.client();
            Grant grant = first.granted("a");
            await().until(() ->
                    String.valueOf(world.node(2).command("GET", COUNTER)).endsWith("|a"));
            world.node(0).restartWithoutData();
            world.node(3).restart();
            world.node(4).restart();
            TestClient second = world.client();
            Attempt.Granted other = (Attempt.Granted) second.tryAcquire("b");
            assertThat(other.grant().token()).isGreaterThan(grant.token());
            await().until(() -> first.renew(grant) instanceof Renewal.Lost);
        }
    }

    @Test
    void fa3_a_restart_of_all_with_every_write_synced_keeps_lock_lease_and_token() {
        try (RedlockWorld world = world("appendonly yes", "appendfsync always")) {
            TestClient first = world.client();
            Grant grant = first.granted("a");
            await().until(() -> world.held() == 5);
            world.nodes.kill();
            world.nodes.restart();
            assertThat(world.client().tryAcquire("b")).isInstanceOf(Attempt.Busy.class);
            await().until(() -> first.renew(grant) instanceof Renewal.Renewed);
            assertThat(first.granted("a").token()).isEqualTo(grant.token());
        }
    }

    @Test
    void fe3_tokens_grow_when_all_nodes_forget_everything() {
        try (RedlockWorld world = world()) {
            Grant grant = world.client().granted("a");
            world.nodes.restartWithoutData();
            assertThat(world.client().granted("b").token()).isGreaterThan(grant.token());
        }
    }

    @Test
    void le10_a_node_whose_clock_jumps_ends_its_lease_early_and_takes_it_again() {
        try (RedlockWorld world = world()) {
            TestClient holder = world.client();
            Grant grant = holder.granted("a");
            await().until(() -> world.held() == 5);
            world.node(1).command("PEXPIRE", KEY, "1");
            await().until(() -> world.held() == 4);
            assertThat(world.client().tryAcquire("b")).isInstanceOf(Attempt.Busy.class);
            assertThat(holder.renew(grant)).isInstanceOf(Renewal.Renewed.class);
            await().until(() -> world.held() == 5);
        }
    }

    /** The clocks that the scripts see are moved, each by the node's own key. */
    @Test
    void le10_clocks_that_are_a_day_off_on_a_minority_do_not_move_the_tokens() {
        try (RedlockWorld world = new RedlockWorld(5, RedlockNodesTest::withClockOfTheNode)) {
            world.node(0).command("SET", "skew", Long.toString(DAY_MICROS / 1_000_000));
            world.node(2).command("SET", "skew", Long.toString(-DAY_MICROS / 1_000_000));
            TestClient client = world.client();
            long before = System.currentTimeMillis() * 1000;
            long last = 0;
            for (int i = 0; i < 20; i++) {
                long token = client.granted("a" + i).token();
                client.release("a" + i);
                assertThat(token).isGreaterThan(last).isBetween(before - DAY_MICROS / 24, before + DAY_MICROS / 24);
                last = token;
            }
        }
    }

    private static RedlockProtocol withClockOfTheNode(RedlockProtocol right) {
        String time = "time = redis.call('TIME')";
        String grant = right.scripts().grant().text();
        assertThat(grant).contains(time);
        LuaScript skewed =
                LuaScript.of(grant.replace(time, time + " time[1] = time[1] + (redis.call('GET', 'skew') or 0)"));
        RedlockScripts scripts = new RedlockScripts(
                skewed,
                right.scripts().token(),
                right.scripts().renew(),
                right.scripts().release());
        return new RedlockProtocol(right.quorum(), scripts, right.timing());
    }

    /** The release of the attempt that failed is owed to the nodes that were stopped; it must not take the next grant away. */
    @Test
    void fa4_a_holder_that_tries_again_keeps_what_it_gets() {
        try (RedlockWorld world = world()) {
            TestClient client = world.client(RedlockServers.NODE_TIMEOUT);
            for (String holder : List.of("a", "b", "c")) {
                world.nodes.only(0, 1, 2).pause();
                assertThat(catchThrowableOfType(BackendFailure.class, () -> client.acquire(holder)))
                        .isNotNull();
                world.nodes.only(0, 1, 2).resume();
                Attempt again = await().ignoreExceptionsInstanceOf(BackendFailure.class)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> client.acquire(holder), attempt -> !(attempt instanceof Attempt.Busy));
                Grant grant =
                        again instanceof Attempt.Granted granted ? granted.grant() : client.granted(holder + "-again");
                await().during(Duration.ofMillis(300)).until(() -> client.renew(grant) instanceof Renewal.Renewed);
                client.release(grant.claim().holder().value());
                await().until(() -> world.held() == 0);
            }
        }
    }

    @Test
    void fa9_scripts_that_were_flushed_are_sent_again() {
        try (RedlockWorld world = world()) {
            TestClient client = world.client();
            Grant grant = client.granted("a");
            world.nodes.nodes().forEach(node -> node.command("SCRIPT", "FLUSH"));
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Renewed.class);
            world.nodes.nodes().forEach(node -> node.command("SCRIPT", "FLUSH"));
            assertThat(client.release("a")).isEqualTo(Released.RELEASED);
            client.granted("b");
        }
    }

    @Test
    void fa10_out_of_memory_is_unavailable_while_renewal_and_release_go_on() {
        try (RedlockWorld world = world()) {
            TestClient client = world.client();
            Grant grant = client.granted("a");
            world.nodes.nodes().forEach(node -> node.command("CONFIG", "SET", "maxmemory", "1"));
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Renewed.class);
            assertThat(client.release("a")).isEqualTo(Released.RELEASED);
            assertRefused(client, Kind.UNAVAILABLE, "OOM");
        }
    }

    @Test
    void fa11_read_only_nodes_are_missed_only_if_they_are_a_majority() {
        try (RedlockWorld world = world()) {
            TestClient client = world.client();
            readOnly(world.node(0));
            readOnly(world.node(1));
            client.granted("a");
            client.release("a");
            readOnly(world.node(2));
            assertRefused(client, Kind.UNAVAILABLE, "READONLY");
        }
    }

    private static void readOnly(RedisServer node) {
        node.command("REPLICAOF", "127.0.0.1", "1");
    }

    @Test
    void fa12_one_node_with_another_password_is_denied_at_connect() {
        try (RedlockWorld world = world()) {
            world.node(2).command("CONFIG", "SET", "requirepass", "secret");
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, world::client);
            assertThat(failure.kind()).isEqualTo(Kind.DENIED);
            assertThat(failure)
                    .hasMessageContaining("127.0.0.1:" + world.node(2).port());
        }
    }

    @Test
    void fa12_a_grant_outlives_the_rotation_of_the_nodes_passwords() {
        AtomicReference<String> password = new AtomicReference<>("first");
        Supplier<Credentials> provider = () -> new Credentials("locks", requireNonNull(password.get()));
        try (RedlockWorld world = world()) {
            world.nodes.nodes().forEach(node -> allow(node, "first"));
            TestClient client = world.open(new RedlockConfig(
                    world.nodes.nodes().stream()
                            .map(node ->
                                    RedisConfig.of("127.0.0.1", node.port()).credentials(provider))
                            .toList(),
                    Duration.ofSeconds(5)));
            Grant grant = client.granted("a");
            world.nodes.nodes().forEach(node -> allow(node, "second"));
            world.nodes.nodes().forEach(node -> node.command("CLIENT", "KILL", "USER", "locks"));
            password.set("second");
            await().ignoreExceptionsInstanceOf(BackendFailure.class)
                    .until(() -> client.renew(grant) instanceof Renewal.Renewed);
            assertThat(client.release("a")).isEqualTo(Released.RELEASED);
            client.granted("b");
        }
    }

    private static void allow(RedisServer node, String password) {
        node.command("ACL", "SETUSER", "locks", "on", "resetpass", ">" + password, "~hasp:*", "&hasp:*", "+@all");
    }

    @Test
    void a_majority_that_is_down_is_unavailable_at_connect_and_a_minority_is_not() {
        try (RedlockWorld world = world()) {
            world.node(0).kill();
            world.node(1).kill();
            world.client().granted("a");
            world.node(2).kill();
            BackendFailure failure =
                    catchThrowableOfType(BackendFailure.class, () -> world.client(RedlockServers.NODE_TIMEOUT));
            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.NOT_APPLIED);
        }
    }

    @Test
    void a_name_that_is_a_lock_of_one_server_is_no_redlock() {
        try (RedlockWorld world = world()) {
            for (int i = 0; i < 3; i++) {
                try (TestClient single = new TestClient(
                        RedisBackend.on(RedisConfig.of(URI.create(world.node(i).uri()))))) {
                    single.granted("x");
                }
            }
            assertRefused(world.client(), Kind.INCOMPATIBLE, "FOREIGN");
        }
    }

    private static void assertRefused(TestClient client, Kind kind, String named) {
        BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> client.tryAcquire("refused"));
        assertThat(failure).isNotNull();
        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure).hasMessageContaining(named).hasMessageContaining("redis://127.0.0.1:");
    }
}
