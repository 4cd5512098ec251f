package io.hasp.redis;

import static io.hasp.redis.InspectorFixture.claim;
import static io.hasp.redis.InspectorFixture.found;
import static io.hasp.redis.InspectorFixture.free;
import static io.hasp.redis.InspectorFixture.granted;
import static io.hasp.redis.InspectorFixture.inspector;
import static io.hasp.redis.InspectorFixture.names;
import static io.hasp.redis.TestClient.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.LockClient;
import io.hasp.LockView;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.Inspector.Holder;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The locks of Redlock as an operator sees them: by node, and by majority. */
@Timeout(120)
class RedlockInspectorTest {
    private static final LockName NAME = new LockName("orders/42");

    private static RedlockServers servers;
    private RealTiming timing;
    private TestClient first;
    private TestClient second;

    @BeforeAll
    static void start() {
        servers = RedlockServers.start(3);
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    @BeforeEach
    void connect() {
        servers.nodes().forEach(node -> node.command("FLUSHALL"));
        timing = new RealTiming();
        first = client();
        second = client();
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
        timing.close();
    }

    private TestClient client() {
        return new TestClient(RedlockBackend.on(RedlockConfig.of(URI.create(servers.uri()))), timing, timing.threads());
    }

    private static Claim exclusive(String holder, String label) {
        return claim("orders/42", holder, Share.EXCLUSIVE, true, label);
    }

    @Test
    void a_lock_shows_what_each_node_stores_and_what_a_majority_confirms() {
        long token = granted(first, exclusive("a", "x|y^%"));
        second.acquire(exclusive("b", "waits|"));
        await().untilAsserted(() -> {
            Inspector.Content lock = found(second, "orders/42");
            assertThat(lock.nodes()).hasSize(3).allMatch(node -> node.holders().size() == 1);
            assertThat(lock.waiters()).singleElement().satisfies(waiter -> {
                assertThat(waiter.id().value()).isEqualTo("b");
                assertThat(waiter.label()).isEqualTo("waits|");
            });
        });
        Inspector.Content lock = found(second, "orders/42");
        assertThat(lock.waiting()).isEqualTo(1);
        assertThat(lock.newestToken()).isEqualTo(token);
        Holder holder = lock.holders().get(0);
        assertThat(lock.holders()).hasSize(1);
        assertThat(holder.token()).isEqualTo(token);
        assertThat(holder.label()).isEqualTo("x|y^%");
        assertThat(holder.left().orElseThrow()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
        assertThat(holder.since().orElseThrow()).isBetween(lock.readAt().minusSeconds(60), lock.readAt());
        assertThat(lock.nodes())
                .extracting(Inspector.Node::address)
                .contains("127.0.0.1:" + servers.node(0).port());
    }

    @Test
    void a_minoritys_grant_is_no_holder() {
        servers.node(1).command("SET", "hasp:{orders/42}", "R1|lonely|H|x", "PX", "30000");

        assertThat(free(first, "orders/42")).isTrue();
        assertThat(names(first, "")).isEmpty();
    }

    @Test
    void a_node_that_does_not_answer_is_named_and_a_grant_that_may_be_held_is_not_hidden() {
        granted(first, exclusive("a", ""));
        servers.node(0).command("DEL", "hasp:{orders/42}");
        servers.node(2).pause();
        try {
            await().untilAsserted(() -> {
                Inspector.Content lock = found(first, "orders/42");
                assertThat(lock.holders()).isEmpty();
                assertThat(lock.nodes().get(1).holders()).hasSize(1);
                assertThat(lock.nodes().get(2).failure()).isPresent();
            });
            assertThat(names(first, "")).containsExactly("orders/42");
            servers.node(1).pause();
            assertThatThrownBy(() -> names(first, ""))
                    .isInstanceOf(BackendFailure.class)
                    .hasMessageContaining("no majority");
            assertThatThrownBy(() -> found(first, "orders/42")).isInstanceOf(BackendFailure.class);
        } finally {
            servers.node(1).resume();
            servers.node(2).resume();
        }
    }

    @Test
    void a_list_has_each_lock_once_and_also_those_that_the_first_node_lacks() {
        for (int i = 0; i < 150; i++) {
            granted(first, claim("n" + i, "h" + i, Share.EXCLUSIVE, true, ""));
        }
        servers.node(0).command("DEL", "hasp:{n7}");
        await().untilAsserted(() -> assertThat(names(second, "n")).hasSize(150).doesNotHaveDuplicates());
        assertThat(names(second, "n14")).hasSize(11);
        servers.node(0).pause();
        try {
            assertThat(names(second, "n")).hasSize(150);
        } finally {
            servers.node(0).resume();
        }
        assertThatThrownBy(() -> answer(inspector(first).list("", "7;0;|0||-"))).isInstanceOf(BackendFailure.class);
    }

    @Test
    void a_removed_holder_is_lost_and_the_next_waiter_gets_the_lock() {
        Claim held = exclusive("a", "");
        long token = granted(first, held);
        second.acquire(exclusive("b", ""));
        Holder holder = found(second, "orders/42").holders().get(0);
        Holder older = new Holder(holder.id(), token - 1, 1, holder.state(), "", holder.since(), holder.left());

        assertThat(answer(inspector(second).remove(NAME, older))).isFalse();
        assertThat(answer(inspector(second).remove(NAME, holder))).isTrue();
        await().untilAsserted(
                        () -> assertThat(granted(second, exclusive("b", ""))).isGreaterThan(token));
        assertThat(first.renew(Grant.of(held, token, TestClient.LEASE))).isInstanceOf(Renewal.Lost.class);
        assertThat(answer(inspector(second).remove(NAME, holder))).isFalse();
        assertThat(found(second, "orders/42").holders().get(0).id()).isEqualTo(new HolderId("b"));
    }

    /** The holder may have the lock on a majority, together with the node that does not answer. */
    @Test
    void a_grant_that_may_be_held_is_broken() {
        Claim held = exclusive("a", "");
        long token = granted(first, held);
        servers.node(0).command("DEL", "hasp:{orders/42}");
        try (LockClient operator = LockClient.connect(URI.create(servers.uri()))) {
            servers.node(2).pause();
            LockView view = operator.inspector().lock("orders/42").orElseThrow();
            assertThat(view.holders()).isEmpty();
            long shown = view.nodes().get(1).holders().get(0).fencingToken();
            assertThat(operator.inspector().breakLock("orders/42", shown)).isTrue();
        } finally {
            servers.node(2).resume();
        }
        assertThat(first.renew(Grant.of(held, token, TestClient.LEASE))).isInstanceOf(Renewal.Lost.class);
        assertThat(second.acquire(exclusive("b", ""))).isInstanceOf(Attempt.Granted.class);
    }

    @Test
    void a_removal_without_a_majority_is_an_outage() {
        granted(first, exclusive("a", ""));
        Holder holder = found(second, "orders/42").holders().get(0);
        servers.node(0).pause();
        servers.node(2).pause();
        try {
            assertThatThrownBy(() -> answer(inspector(second).remove(NAME, holder)))
                    .isInstanceOf(BackendFailure.class);
        } finally {
            servers.node(0).resume();
            servers.node(2).resume();
        }
    }
}
