package io.hasp.redis.script;

import static io.hasp.redis.script.ScriptClient.LEASE;
import static io.hasp.redis.script.ScriptClient.LOCK;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waiting, handing over and withdrawing, on a real server. */
class QueueScriptsTest {
    private static RedisServer server;
    private ScriptClient lua;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() throws IOException {
        lua = new ScriptClient(server);
    }

    @AfterEach
    void disconnect() {
        lua.close();
    }

    @Test
    void busy_without_queueing_leaves_nothing_behind() throws IOException {
        lua.acquire("a");
        assertThat(lua.take("b", LEASE, false, "", "")).isEqualTo("BUSY||500");
        assertThat(lua.redis().integer("EXISTS", LOCK + ":q", LOCK + ":w", LOCK + ":x:b"))
                .isZero();
    }

    @Test
    void waiters_keep_their_tickets_in_order_of_arrival() throws IOException {
        lua.acquire("a");
        long second = ScriptClient.ticket(lua.acquire("b"));
        long third = ScriptClient.ticket(lua.acquire("c"));
        assertThat(third).isGreaterThan(second);
        assertThat(ScriptClient.ticket(lua.acquire("b"))).isEqualTo(second);
        assertThat(lua.ttl(LOCK + ":q")).isBetween(6_000L, 7_000L);
        assertThat(lua.ttl(LOCK + ":w")).isBetween(6_000L, 7_000L);
    }

    @Test
    void who_enters_after_the_clock_went_back_is_still_the_last() throws IOException {
        lua.acquire("a");
        long ahead = ScriptClient.ticket(lua.acquire("b")) + 60_000_000;
        lua.redis().command("ZADD", LOCK + ":q", Long.toString(ahead), "b");
        assertThat(ScriptClient.ticket(lua.acquire("c"))).isEqualTo(ahead + 1);
        assertThat(ScriptClient.ticket(lua.acquire("d"))).isEqualTo(ahead + 2);
        assertThat(lua.redis().command("ZRANGE", LOCK + ":q", "0", "-1")).isEqualTo(List.of("b", "c", "d"));
    }

    /** The nodes of a Redlock give tickets by their own clocks; the first poll brings the same one to all. */
    @Test
    void the_ticket_that_a_waiter_brings_replaces_its_own() throws IOException {
        lua.acquire("a");
        long first = ScriptClient.ticket(lua.acquire("b"));
        long second = ScriptClient.ticket(lua.acquire("c"));
        String earlier = Long.toString(first - 1);
        assertThat(lua.take("c", LEASE, true, "", earlier)).startsWith("BUSY|" + earlier + "|");
        assertThat(second).isGreaterThan(first);
        assertThat(lua.redis().command("ZRANGE", LOCK + ":q", "0", "-1")).isEqualTo(List.of("c", "b"));
    }

    @Test
    void who_serves_the_only_waiter_of_a_free_lock_is_the_first_of_the_next_queue() throws IOException {
        lua.acquire("a");
        lua.acquire("b");
        lua.redis().command("DEL", LOCK);
        assertThat(ScriptClient.poll(lua.acquire("c"))).isEqualTo(500);
        assertThat(lua.redis().text("GET", LOCK)).startsWith("1|b|C|");
        long head = ScriptClient.ticket(lua.acquire("c"));
        assertThat(ScriptClient.ticket(lua.acquire("d"))).isGreaterThan(head);
    }

    @Test
    void a_queue_is_kept_while_others_enter() throws IOException {
        lua.acquire("a");
        lua.acquire("b");
        for (String key : List.of(LOCK + ":q", LOCK + ":w")) {
            lua.redis().command("PEXPIRE", key, "1000");
        }
        lua.acquire("c");
        assertThat(lua.ttl(LOCK + ":q")).isBetween(6_000L, 7_000L);
        assertThat(lua.ttl(LOCK + ":w")).isBetween(6_000L, 7_000L);
    }

    @Test
    void a_dropped_waiter_comes_back_to_its_old_place() throws IOException {
        lua.acquire("a");
        String second = Long.toString(ScriptClient.ticket(lua.acquire("b")));
        lua.acquire("c");
        lua.redis().command("ZREM", LOCK + ":q", "b");
        assertThat(lua.take("b", LEASE, true, "", second)).startsWith("BUSY|" + second);
        assertThat(lua.redis().command("ZRANGE", LOCK + ":q", "0", "-1")).isEqualTo(List.of("b", "c"));
    }

    @Test
    void only_the_head_polls_when_the_lease_ends() throws IOException {
        lua.take("a", 200, true, "", "");
        assertThat(ScriptClient.poll(lua.acquire("b"))).isBetween(1L, 201L);
        assertThat(ScriptClient.poll(lua.acquire("c"))).isEqualTo(500);
    }

    @Test
    void a_release_hands_over_to_the_first_waiter_which_confirms() throws IOException {
        long first = ScriptClient.granted(lua.acquire("a"));
        lua.acquire("b");
        lua.acquire("c");
        lua.release("a", false);
        assertThat(lua.redis().text("GET", LOCK)).startsWith("1|b|C|");
        assertThat(lua.ttl(LOCK)).isBetween(1_000L, 1_250L);
        long second = ScriptClient.granted(lua.acquire("b"));
        assertThat(second).isGreaterThan(first);
        assertThat(lua.redis().text("GET", LOCK)).isEqualTo("1|b|H|" + second + "|meta");
        assertThat(lua.ttl(LOCK)).isGreaterThan(LEASE - 5_000);
        assertThat(lua.ttl(LOCK + ":t")).isGreaterThan(LEASE + 55_000);
    }

    @Test
    void one_release_publishes_to_one_waiter() throws IOException {
        try (RespConnection listener = server.connect()) {
            listener.send("SUBSCRIBE", "hasp:c:1", "hasp:c:2");
            listener.receive();
            listener.receive();
            lua.acquire("a");
            lua.take("b", LEASE, true, "hasp:c:1", "");
            lua.take("c", LEASE, true, "hasp:c:2", "");
            lua.release("a", false);
            assertThat(listener.receive()).isEqualTo(List.of("message", "hasp:c:1", news("b")));
            lua.release("b", false);
            assertThat(listener.receive()).isEqualTo(List.of("message", "hasp:c:2", news("c")));
        }
    }

    /** What a waiter is told: the token of its grant, and for how many milliseconds it is kept. */
    private String news(String holder) throws IOException {
        String token = String.valueOf(lua.redis().text("GET", LOCK)).split("\\|")[3];
        assertThat(lua.ttl(LOCK)).isBetween(1L, 1_250L);
        return holder + "|" + token + "|1250|" + LOCK;
    }

    @Test
    void a_refusal_tells_the_newest_token() throws IOException {
        long first = ScriptClient.granted(lua.acquire("a"));
        assertThat(lua.acquire("b")).endsWith("|" + first);
        lua.release("a", false);
        long second = ScriptClient.granted(lua.acquire("b"));
        assertThat(lua.acquire("c")).endsWith("|" + second);
    }

    @Test
    void a_confirmation_that_comes_late_does_not_shorten_a_renewed_lease() throws IOException {
        lua.acquire("a");
        lua.acquire("b");
        lua.release("a", false);
        lua.redis().command("PEXPIRE", LOCK, Long.toString(3 * LEASE));
        ScriptClient.granted(lua.acquire("b"));
        assertThat(lua.redis().text("GET", LOCK)).startsWith("1|b|H|");
        assertThat(lua.ttl(LOCK)).isGreaterThan(2 * LEASE);
    }

    @Test
    void li9_a_hundred_waiters_that_nobody_listens_for_are_skipped_at_once() throws IOException {
        lua.acquire("a");
        for (int i = 0; i < 100; i++) {
            lua.take("dead" + i, LEASE, true, "hasp:c:dead", "");
        }
        lua.acquire("b");
        lua.release("a", false);
        assertThat(lua.redis().text("GET", LOCK)).startsWith("1|b|C|");
        assertThat(lua.redis().integer("EXISTS", LOCK + ":q", LOCK + ":w")).isZero();
    }

    @Test
    void li9_a_waiter_that_stopped_polling_is_skipped() throws IOException {
        lua.acquire("a");
        lua.acquire("stopped");
        lua.acquire("b");
        lua.redis().command("HSET", LOCK + ":w", "stopped", "1||meta");
        lua.release("a", false);
        assertThat(lua.redis().text("GET", LOCK)).startsWith("1|b|C|");
    }

    @Test
    void any_acquire_on_a_free_lock_serves_the_head_first() throws IOException {
        lua.acquire("a");
        lua.acquire("b");
        lua.redis().command("DEL", LOCK);
        assertThat(lua.take("c", LEASE, false, "", "")).startsWith("BUSY");
        assertThat(lua.redis().text("GET", LOCK)).startsWith("1|b|C|");
        lua.acquire("e");
        lua.redis().command("DEL", LOCK);
        assertThat(lua.acquire("d")).startsWith("BUSY");
        assertThat(lua.redis().text("GET", LOCK)).startsWith("1|e|C|");
    }

    @Test
    void the_head_takes_a_free_lock_itself() throws IOException {
        lua.acquire("a");
        lua.acquire("b");
        lua.acquire("c");
        lua.redis().command("DEL", LOCK);
        ScriptClient.granted(lua.acquire("b"));
        assertThat(lua.redis().text("GET", LOCK)).startsWith("1|b|H|");
        assertThat(lua.redis().integer("HEXISTS", LOCK + ":w", "b")).isZero();
    }

    @Test
    void a_waiter_that_withdraws_from_a_free_lock_leaves_it_to_the_next() throws IOException {
        lua.acquire("a");
        lua.acquire("b");
        lua.acquire("c");
        lua.redis().command("DEL", LOCK);
        assertThat(lua.release("b", true)).isEqualTo("NOT_HELD");
        assertThat(lua.redis().text("GET", LOCK)).startsWith("1|c|C|");
    }

    @Test
    void a_transfer_serves_other_clients_first() throws IOException {
        lua.acquire("a");
        lua.acquire("b");
        assertThat(lua.transfer("a", "a2")).startsWith("RELEASED|BUSY|");
        assertThat(lua.redis().text("GET", LOCK)).startsWith("1|b|C|");
        assertThat(lua.redis().command("ZRANGE", LOCK + ":q", "0", "-1")).isEqualTo(List.of("a2"));
    }

    @Test
    void a_transfer_without_waiters_grants_the_new_holder_a_new_token() throws IOException {
        long first = ScriptClient.granted(lua.acquire("a"));
        String reply = lua.transfer("a", "a2");
        assertThat(reply).startsWith("RELEASED|");
        long second = ScriptClient.granted(reply.substring("RELEASED|".length()));
        assertThat(second).isGreaterThan(first);
        assertThat(lua.redis().text("GET", LOCK)).isEqualTo("1|a2|H|" + second + "|meta");
        assertThat(lua.acquire("a")).startsWith("BUSY");
    }

    @Test
    void a_transfer_from_a_holder_that_lost_the_lock_says_so_and_queues() throws IOException {
        long token = ScriptClient.granted(lua.acquire("b"));
        assertThat(lua.transfer("a", "a2")).startsWith("NOT_HELD|BUSY|");
        assertThat(lua.redis().text("GET", LOCK)).isEqualTo("1|b|H|" + token + "|meta");
    }
}
