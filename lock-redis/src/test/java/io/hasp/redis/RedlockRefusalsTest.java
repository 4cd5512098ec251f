package io.hasp.redis;

import static io.hasp.redis.TestClient.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refusals of every node: keys of other programs, and keys that its user may not touch. */
class RedlockRefusalsTest {
    private static final int NODES = 3;

    private static RedlockWorld world() {
        return new RedlockWorld(NODES, UnaryOperator.identity());
    }

    @ParameterizedTest
    @CsvSource({":q, true", ":q, false", ":w, true", ":w, false", ":t, true"})
    void a_lock_whose_queue_waiters_or_counter_were_overwritten_is_still_released(String part, boolean waiter) {
        try (RedlockWorld world = world()) {
            TestClient client = world.client();
            client.granted("a");
            if (waiter) {
                assertThat(client.acquire("b")).isInstanceOf(Attempt.Busy.class);
            }
            await().until(() -> world.held() == NODES);
            String spoilt = KEY + part;
            for (RedisServer node : world.nodes.nodes()) {
                node.command("DEL", spoilt);
                node.command("SET", spoilt, "someone's value");
            }
            assertThat(client.release("a")).isEqualTo(Released.RELEASED);
            await().until(() -> world.held() == 0);
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> client.acquire("c"));
            assertThat(failure.kind()).isEqualTo(Kind.INCOMPATIBLE);
            assertThat(failure).hasMessageContaining(spoilt + " ");
            assertThat(world.held()).isZero();
            assertThat(world.node(0).command("GET", spoilt)).isEqualTo("someone's value");
        }
    }

    @ParameterizedTest
    @CsvSource({":q, SET", ":w, SET", ":t, SET", ":t, RPUSH"})
    void a_lease_whose_queue_waiters_or_counter_were_overwritten_is_still_renewed(String part, String how) {
        try (RedlockWorld world = world()) {
            TestClient client = world.client();
            Grant grant = client.granted("a");
            await().until(() -> world.held() == NODES);
            for (RedisServer node : world.nodes.nodes()) {
                node.command("DEL", KEY + part);
                node.command(how, KEY + part, "someone's value");
                node.command("PEXPIRE", KEY, "15000");
            }
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Renewed.class);
            await().untilAsserted(() -> {
                for (RedisServer node : world.nodes.nodes()) {
                    assertThat((Long) node.command("PTTL", KEY)).isGreaterThan(15_000);
                    assertThat(node.command("PTTL", KEY + part)).isEqualTo(-1L);
                    assertThat(node.command("TYPE", KEY + part)).isEqualTo(how.equals("SET") ? "string" : "list");
                }
            });
        }
    }

    /** The tokens acknowledged since are unknown. */
    @Test
    void a_lease_that_is_gone_is_not_taken_over_where_the_counter_was_spoilt() {
        try (RedlockWorld world = world()) {
            TestClient client = world.client();
            Grant grant = client.granted("a");
            await().until(() -> world.held() == NODES);
            for (RedisServer node : world.nodes.nodes()) {
                node.command("DEL", KEY);
                node.command("SET", KEY + ":t", "someone's value");
            }
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Lost.class);
            assertThat(world.held()).isZero();
        }
    }

    @Test
    void a_lock_that_is_of_another_type_is_named() {
        try (RedlockWorld world = world()) {
            world.nodes.nodes().forEach(node -> node.command("RPUSH", KEY, "x"));
            BackendFailure failure = catchThrowableOfType(
                    BackendFailure.class, () -> world.client().acquire("c"));
            assertThat(failure).hasMessageContaining("WRONGTYPE " + KEY + " ");
        }
    }

    @Test
    void fa12_one_key_that_is_forbidden_costs_its_own_lease_and_no_other() {
        try (RedlockWorld world = world()) {
            TestClient client = world.client();
            List<Grant> grants = new ArrayList<>();
            for (int i = 0; i < LockBackend.MOST_RENEWED_AT_ONCE; i++) {
                LockName name = new LockName((i == 37 ? "secret" : "open") + i);
                Claim claim = Claim.renewedLease(name, new HolderId("h" + i), TestClient.LEASE, false);
                grants.add(((Attempt.Granted) client.acquire(claim)).grant());
            }
            for (RedisServer node : world.nodes.nodes()) {
                node.command("ACL", "SETUSER", "default", "resetkeys", "~hasp:{open*");
                node.command("CONFIG", "RESETSTAT");
            }

            List<Renewal> renewals = TestClient.answer(client.backend.renew(grants));

            assertThat(renewals).hasSize(grants.size());
            for (int i = 0; i < grants.size(); i++) {
                assertThat(renewals.get(i)).isInstanceOf(i == 37 ? Renewal.Unknown.class : Renewal.Renewed.class);
            }
            assertThat(((Renewal.Unknown) renewals.get(37)).why().kind()).isEqualTo(Kind.DENIED);
            assertThat(String.valueOf(world.node(0).command("INFO", "commandstats")))
                    .containsPattern("cmdstat_evalsha:calls=\\d\\d?,");
        }
    }

    /** Then there is a majority without it, and nothing to be asked again. */
    @Test
    void fa12_a_key_that_one_node_forbids_costs_nothing() {
        try (RedlockWorld world = world()) {
            TestClient client = world.client();
            Grant grant = client.granted("a");
            world.node(1).command("ACL", "SETUSER", "default", "resetkeys", "~other*");
            assertThat(client.renew(grant)).isInstanceOf(Renewal.Renewed.class);
        }
    }
}
