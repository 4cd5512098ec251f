package io.hasp.redis;

import static io.hasp.redis.InspectorFixture.all;
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

import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.Inspector.Holder;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The locks of a real server as an operator sees them. */
@Timeout(120)
class RedisInspectorTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    /** All characters that a pattern of SCAN, a layout or the escape of a name could mistake. */
    private static final List<String> ODD_NAMES = List.of(
            "a*b",
            "a?b",
            "a[b]c",
            "a\\b",
            "a]b",
            "a^b",
            "a{b}c",
            "a}x",
            "a%7Bb",
            "a|b",
            "a\nb",
            "a\tb",
            "a:q",
            "a}:q",
            "a\u00e4\ud83d\ude00");

    private static RedisServer server;
    private TestClient first;
    private TestClient second;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() {
        server.command("FLUSHALL");
        first = new TestClient(Through.JEDIS.source(server, TIMEOUT));
        second = new TestClient(Through.JEDIS.source(server, TIMEOUT));
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
    }

    @Test
    void an_exclusive_lock_shows_its_holder_and_its_waiters_in_order() {
        long token = granted(first, claim("orders/42", "a", Share.EXCLUSIVE, true, "orders-7f9c"));
        second.acquire(claim("orders/42", "b", Share.EXCLUSIVE, true, "b|^%7C^x"));
        first.acquire(claim("orders/42", "c", Share.EXCLUSIVE, true, ""));

        Inspector.Content lock = found(second, "orders/42");
        assertThat(lock.capacity()).isEqualTo(1);
        assertThat(lock.newestToken()).isEqualTo(token);
        assertThat(lock.nodes()).isEmpty();
        assertThat(lock.readAt())
                .isBetween(Instant.ofEpochSecond(1_000_000_000), Instant.ofEpochSecond(9_000_000_000L));
        Holder holder = lock.holders().get(0);
        assertThat(lock.holders()).hasSize(1);
        assertThat(holder.id()).isEqualTo(new HolderId("a"));
        assertThat(holder.token()).isEqualTo(token);
        assertThat(holder.weight()).isEqualTo(1);
        assertThat(holder.state()).isEqualTo(Inspector.State.HELD);
        assertThat(holder.label()).isEqualTo("orders-7f9c");
        assertThat(holder.since().orElseThrow()).isBetween(lock.readAt().minusSeconds(60), lock.readAt());
        assertThat(holder.left().orElseThrow()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
        assertThat(lock.waiting()).isEqualTo(2);
        assertThat(lock.waiters()).extracting(waiter -> waiter.id().value()).containsExactly("b", "c");
        assertThat(lock.waiters().get(0).label()).isEqualTo("b|^%7C^x");
        assertThat(lock.waiters().get(1).label())
                .contains(ProcessHandle.current().pid() + "@");
        assertThat(lock.waiters().get(0).since().orElseThrow())
                .isBefore(lock.waiters().get(1).since().orElseThrow());
        assertThat(all(first, ""))
                .singleElement()
                .satisfies(listed -> assertThat(listed.waiters()).hasSize(2));
    }

    @Test
    void a_lock_that_is_free_or_over_is_not_there() {
        assertThat(free(first, "orders/42")).isTrue();
        granted(first, claim("orders/42", "a", Share.EXCLUSIVE, true, ""));
        first.release("a");
        assertThat(free(first, "orders/42")).isTrue();
        granted(first, claim("shared", "s", Share.READ, true, "").withLease(Duration.ofMillis(30)));
        granted(first, claim("shared", "t", Share.READ, true, ""));
        await().untilAsserted(() -> assertThat(found(first, "shared").holders()).hasSize(1));
        assertThat(found(first, "shared").holders().get(0).id().value()).isEqualTo("t");
    }

    @Test
    void a_lock_with_waiters_only_is_there_and_dead_waiters_are_not() throws Exception {
        TestClient dead = new TestClient(Through.JEDIS.source(server, TIMEOUT));
        granted(first, claim("orders/42", "a", Share.EXCLUSIVE, true, ""));
        dead.acquire(claim("orders/42", "b", Share.EXCLUSIVE, true, "dead"));
        second.acquire(claim("orders/42", "c", Share.EXCLUSIVE, true, "alive"));
        dead.close();
        server.command("DEL", TestClient.KEY);
        await().untilAsserted(() -> {
            second.acquire(claim("orders/42", "d", Share.EXCLUSIVE, true, ""));
            assertThat(found(first, "orders/42").waiters())
                    .noneMatch(waiter -> waiter.label().equals("dead"));
        });
    }

    @Test
    void a_queue_without_a_lock_is_listed() {
        granted(first, claim("orders/42", "a", Share.EXCLUSIVE, true, ""));
        second.acquire(claim("orders/42", "c", Share.EXCLUSIVE, true, "alive"));
        server.command("DEL", TestClient.KEY);

        Inspector.Content lock = found(first, "orders/42");
        assertThat(lock.holders()).isEmpty();
        assertThat(lock.waiters())
                .singleElement()
                .satisfies(waiter -> assertThat(waiter.label()).isEqualTo("alive"));
        assertThat(names(first, "ord")).containsExactly("orders/42");
    }

    @Test
    void shared_locks_show_capacity_weights_and_labels() {
        Share permits = new Share(3, 8);
        granted(first, claim("pool", "a", permits, true, "x|y^z%"));
        granted(second, claim("pool", "b", new Share(5, 8), true, ""));
        second.acquire(claim("pool", "c", new Share(2, 8), true, "w^"));
        granted(first, claim("table", "w", Share.WRITE, true, ""));
        second.acquire(claim("table", "r", Share.READ, true, ""));

        Inspector.Content pool = found(first, "pool");
        assertThat(pool.capacity()).isEqualTo(8);
        assertThat(pool.holders()).extracting(Holder::weight).containsExactlyInAnyOrder(3, 5);
        assertThat(pool.holders()).extracting(Holder::label).contains("x|y^z%");
        assertThat(pool.holders())
                .allMatch(holder -> holder.left().isPresent() && holder.since().isPresent());
        assertThat(pool.waiters()).singleElement().satisfies(waiter -> {
            assertThat(waiter.weight()).isEqualTo(2);
            assertThat(waiter.label()).isEqualTo("w^");
        });
        Inspector.Content table = found(first, "table");
        assertThat(table.capacity()).isEqualTo(Share.READ_WRITE);
        assertThat(table.holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.weight()).isEqualTo(Share.READ_WRITE));
        assertThat(table.waiters())
                .singleElement()
                .satisfies(waiter -> assertThat(waiter.weight()).isEqualTo(1));
        assertThat(names(first, "")).containsExactlyInAnyOrder("pool", "table");
    }

    @Test
    void a_kept_lock_and_a_retained_one_are_told_apart() {
        granted(first, claim("kept", "k", Share.EXCLUSIVE, true, "|k").withKeeps(true));
        Claim held = claim("retained", "r", Share.EXCLUSIVE, true, "r");
        long token = granted(first, held);
        answer(first.backend.retain(held.withLease(Duration.ofSeconds(20))));

        assertThat(found(second, "kept").holders().get(0).state()).isEqualTo(Inspector.State.RECALLABLE);
        assertThat(found(second, "kept").holders().get(0).label()).isEqualTo("|k");
        Holder retained = found(second, "retained").holders().get(0);
        assertThat(retained.state()).isEqualTo(Inspector.State.RETAINED);
        assertThat(retained.token()).isEqualTo(token);
        assertThat(answer(inspector(second).remove(new LockName("retained"), retained)))
                .isTrue();
        assertThat(free(second, "retained")).isTrue();
    }

    @Test
    void a_removed_holder_is_lost_and_the_next_waiter_is_served_at_once() throws Exception {
        Claim held = claim("orders/42", "a", Share.EXCLUSIVE, true, "");
        long token = granted(first, held);
        second.acquire(claim("orders/42", "b", Share.EXCLUSIVE, true, ""));
        Holder holder = found(second, "orders/42").holders().get(0);

        assertThat(answer(inspector(second).remove(new LockName("orders/42"), holder)))
                .isTrue();
        assertThat(second.signals.poll(5, TimeUnit.SECONDS)).isEqualTo("b MAYBE_FREE");
        assertThat(granted(second, claim("orders/42", "b", Share.EXCLUSIVE, true, "")))
                .isGreaterThan(token);
        assertThat(first.renew(Grant.of(held, token, TestClient.LEASE))).isInstanceOf(Renewal.Lost.class);
        assertThat(first.acquire(held)).isInstanceOf(Attempt.Gone.class);
        assertThat(first.release("a")).isEqualTo(Released.NOT_HELD);
        assertThat(answer(inspector(second).remove(new LockName("orders/42"), holder)))
                .isFalse();
        assertThat(found(second, "orders/42").holders().get(0).id().value()).isEqualTo("b");
    }

    @Test
    void nothing_is_removed_with_another_token_or_holder() {
        granted(first, claim("orders/42", "a", Share.EXCLUSIVE, true, ""));
        granted(first, claim("pool", "p", new Share(1, 8), true, ""));
        for (String name : List.of("orders/42", "pool")) {
            Holder holder = found(second, name).holders().get(0);
            Holder older =
                    new Holder(holder.id(), holder.token() - 1, 1, holder.state(), "", holder.since(), holder.left());
            Holder other =
                    new Holder(new HolderId("x"), holder.token(), 1, holder.state(), "", holder.since(), holder.left());
            assertThat(answer(inspector(second).remove(new LockName(name), older)))
                    .isFalse();
            assertThat(answer(inspector(second).remove(new LockName(name), other)))
                    .isFalse();
            assertThat(found(second, name).holders()).hasSize(1);
        }
    }

    @Test
    void a_removed_share_lets_waiters_in() throws Exception {
        granted(first, claim("pool", "a", new Share(8, 8), true, ""));
        second.acquire(claim("pool", "b", new Share(8, 8), true, ""));
        Holder holder = found(second, "pool").holders().get(0);

        assertThat(answer(inspector(second).remove(new LockName("pool"), holder)))
                .isTrue();
        assertThat(second.signals.poll(5, TimeUnit.SECONDS)).isEqualTo("b MAYBE_FREE");
        assertThat(found(second, "pool").holders().get(0).id().value()).isEqualTo("b");
    }

    @Test
    void a_client_that_keeps_a_removed_lock_is_notified_at_once() throws Exception {
        granted(first, claim("kept", "k", Share.EXCLUSIVE, true, "").withKeeps(true));
        Holder holder = found(second, "kept").holders().get(0);

        assertThat(answer(inspector(second).remove(new LockName("kept"), holder)))
                .isTrue();
        assertThat(first.signals.poll(5, TimeUnit.SECONDS)).isEqualTo("k WANTED");
    }

    @Test
    void odd_names_are_listed_by_their_prefix_and_no_others() {
        for (int i = 0; i < ODD_NAMES.size(); i++) {
            granted(first, claim(ODD_NAMES.get(i), "h" + i, Share.EXCLUSIVE, true, ""));
        }
        granted(first, claim("axb", "plain", Share.EXCLUSIVE, true, ""));
        assertThat(names(second, ""))
                .hasSize(ODD_NAMES.size() + 1)
                .containsAll(ODD_NAMES)
                .contains("axb");
        for (String name : ODD_NAMES) {
            List<String> expected =
                    ODD_NAMES.stream().filter(other -> other.startsWith(name)).toList();
            assertThat(names(second, name)).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(found(second, name).name().value()).isEqualTo(name);
        }
    }

    @Test
    void a_foreign_value_is_left_out_of_a_list_and_named_when_it_is_looked_at() {
        server.command("SET", "hasp:{foreign}", "something else");
        server.command("SET", "hasp:{a%zz}", "1|h|H|17|x");
        server.command("LPUSH", "hasp:{list}", "1");
        granted(first, claim("mine", "a", Share.EXCLUSIVE, true, ""));

        assertThat(names(second, "")).containsExactly("mine");
        for (String name : List.of("foreign", "list")) {
            assertThatThrownBy(() -> found(second, name))
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(Kind.INCOMPATIBLE))
                    .hasMessageContaining("hasp:{" + name + "}");
        }
    }

    @Test
    void a_cursor_of_another_server_or_of_nothing_is_refused() {
        for (int i = 0; i < 300; i++) {
            granted(first, claim("n" + i, "h" + i, Share.EXCLUSIVE, true, ""));
        }
        Inspector.Page page = answer(inspector(second).list("", ""));
        assertThat(page.next()).isNotEmpty();
        assertThatThrownBy(() -> answer(inspector(second).list("", "nonsense")))
                .isInstanceOf(BackendFailure.class)
                .hasMessageContaining("nonsense");
        try (RedisServer other = RedisServer.start();
                TestClient elsewhere = new TestClient(Through.JEDIS.source(other, TIMEOUT))) {
            String there = page.next().replace(":" + server.port(), ":" + other.port());
            assertThatThrownBy(() -> answer(inspector(elsewhere).list("", there)))
                    .isInstanceOf(BackendFailure.class)
                    .hasMessageContaining("list the locks from the beginning");
        }
    }

    @Test
    void a_user_without_scan_locks_and_looks_at_one_lock_but_lists_none() {
        server.command(("ACL SETUSER locks on >pw ~hasp:* &hasp:* " + PermissionRules.COMMANDS).split(" "));
        try (TestClient client =
                new TestClient(Through.source("redis://locks:pw@127.0.0.1:" + server.port() + "?connection=jedis"))) {
            long token = granted(client, claim("orders/42", "a", Share.EXCLUSIVE, true, ""));
            granted(client, claim("pool", "s", new Share(1, 2), true, ""));
            client.acquire(claim("orders/42", "b", Share.EXCLUSIVE, true, ""));
            Inspector.Content lock = found(client, "orders/42");
            assertThat(lock.holders().get(0).token()).isEqualTo(token);
            assertThat(lock.waiters()).hasSize(1);
            assertThat(found(client, "pool").capacity()).isEqualTo(2);
            assertThatThrownBy(() -> answer(inspector(client).list("", "")))
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(Kind.DENIED))
                    .hasMessageContaining("SCAN");
            assertThat(answer(
                            inspector(client).remove(lock.name(), lock.holders().get(0))))
                    .isTrue();
            server.command("ACL", "SETUSER", "locks", "+scan");
            assertThat(names(client, "")).containsExactlyInAnyOrder("orders/42", "pool");
        }
    }
}
