package io.hasp.redis.script;

import static io.hasp.redis.script.ScriptClient.COUNTER;
import static io.hasp.redis.script.ScriptClient.LEASE;
import static io.hasp.redis.script.ScriptClient.LOCK;
import static io.hasp.redis.script.ScriptClient.QUEUE;
import static io.hasp.redis.script.ScriptClient.WAITERS;
import static io.hasp.redis.script.ScriptClient.tokenOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The queue of the scripts: tickets, direct grants, transfers and withdrawals. */
class QueueScriptsTest extends ScriptFixture {
    @Test
    void busy_without_queueing_leaves_nothing_behind() throws IOException {
        lua.acquire("a");
        assertThat(lua.tryOnce("b")).isEqualTo("BUSY||500");
        assertThat(lua.existing(QUEUE, WAITERS, ScriptClient.tombstone("b"))).isZero();
    }

    @Test
    void waiters_keep_their_tickets_in_order_of_arrival() throws IOException {
        lua.acquire("a");
        long second = lua.ticket("b");
        long third = lua.ticket("c");
        assertThat(third).isGreaterThan(second);
        assertThat(lua.ticket("b")).isEqualTo(second);
        assertThat(lua.ttl(QUEUE)).isBetween(6_000L, 7_000L);
        assertThat(lua.ttl(WAITERS)).isBetween(6_000L, 7_000L);
    }

    @Test
    void a_waiter_that_enters_after_the_clock_went_back_is_still_the_last() throws IOException {
        lua.acquire("a");
        long ahead = lua.ticket("b") + 60_000_000;
        lua.command("ZADD", QUEUE, Long.toString(ahead), "b");
        assertThat(lua.ticket("c")).isEqualTo(ahead + 1);
        assertThat(lua.ticket("d")).isEqualTo(ahead + 2);
        assertThat(lua.queue()).isEqualTo(List.of("b", "c", "d"));
    }

    /** The nodes of a Redlock give tickets by their own clocks; the first poll brings the same one to all. */
    @Test
    void the_ticket_that_a_waiter_brings_replaces_its_own() throws IOException {
        lua.acquire("a");
        long first = lua.ticket("b");
        long second = lua.ticket("c");
        String earlier = Long.toString(first - 1);
        assertThat(lua.take("c", LEASE, true, "", earlier)).startsWith("BUSY|" + earlier + "|");
        assertThat(second).isGreaterThan(first);
        assertThat(lua.queue()).isEqualTo(List.of("c", "b"));
    }

    @Test
    void a_contender_that_serves_the_only_waiter_of_a_free_lock_is_the_first_of_the_next_queue() throws IOException {
        lua.acquire("a");
        lua.acquire("b");
        lua.command("DEL", LOCK);
        assertThat(lua.poll("c")).isEqualTo(500);
        assertThat(lua.value()).startsWith("1|b|C|");
        long head = lua.ticket("c");
        assertThat(lua.ticket("d")).isGreaterThan(head);
    }

    @Test
    void a_queue_is_kept_while_others_enter() throws IOException {
        lua.acquire("a");
        lua.acquire("b");
        for (String key : List.of(QUEUE, WAITERS)) {
            lua.command("PEXPIRE", key, "1000");
        }
        lua.acquire("c");
        assertThat(lua.ttl(QUEUE)).isBetween(6_000L, 7_000L);
        assertThat(lua.ttl(WAITERS)).isBetween(6_000L, 7_000L);
    }

    /** The server may evict each key by itself. A key that comes back without an expiry would never end. */
    @Test
    void waiters_or_a_queue_that_were_evicted_come_back_with_an_expiry_and_in_order() throws IOException {
        lua.acquire("a");
        for (String evicted : List.of(QUEUE, WAITERS)) {
            String second = Long.toString(lua.ticket("b"));
            String third = Long.toString(lua.ticket("c"));
            lua.command("DEL", evicted);
            lua.take("c", LEASE, true, "", third);
            lua.take("b", LEASE, true, "", second);
            assertThat(lua.queue()).isEqualTo(List.of("b", "c"));
            assertThat(lua.ttl(QUEUE)).isBetween(6_000L, 7_000L);
            assertThat(lua.ttl(WAITERS)).isBetween(6_000L, 7_000L);
        }
    }

    @Test
    void a_dropped_waiter_returns_to_its_old_position() throws IOException {
        lua.acquire("a");
        String second = Long.toString(lua.ticket("b"));
        lua.acquire("c");
        lua.command("ZREM", QUEUE, "b");
        assertThat(lua.take("b", LEASE, true, "", second)).startsWith("BUSY|" + second);
        assertThat(lua.queue()).isEqualTo(List.of("b", "c"));
    }

    @Test
    void only_the_head_polls_when_the_lease_ends() throws IOException {
        lua.acquire("a", 200);
        assertThat(lua.poll("b")).isBetween(1L, 201L);
        assertThat(lua.poll("c")).isEqualTo(500);
    }

    @Test
    void a_release_grants_the_lock_directly_to_the_first_waiter_which_confirms() throws IOException {
        long first = lua.granted("a");
        lua.acquire("b");
        lua.acquire("c");
        lua.release("a");
        assertThat(lua.value()).startsWith("1|b|C|");
        assertThat(lua.ttl(LOCK)).isBetween(1_000L, 1_250L);
        long second = lua.granted("b");
        assertThat(second).isGreaterThan(first);
        assertThat(lua.value()).isEqualTo("1|b|H|" + second + "|meta");
        assertThat(lua.ttl(LOCK)).isGreaterThan(LEASE - 5_000);
        assertThat(lua.ttl(COUNTER)).isGreaterThan(LEASE + 55_000);
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
            lua.release("a");
            assertThat(listener.receive()).isEqualTo(List.of("message", "hasp:c:1", news("b")));
            lua.release("b");
            assertThat(listener.receive()).isEqualTo(List.of("message", "hasp:c:2", news("c")));
        }
    }

    /** The message to a waiter: the token of its grant, and the claim in milliseconds. */
    private String news(String holder) throws IOException {
        String token = String.valueOf(lua.value()).split("\\|")[3];
        assertThat(lua.ttl(LOCK)).isBetween(1L, 1_250L);
        return holder + "|" + token + "|1250|" + LOCK;
    }

    @Test
    void a_refusal_tells_the_newest_token() throws IOException {
        long first = lua.granted("a");
        assertThat(lua.acquire("b")).endsWith("|" + first);
        lua.release("a");
        long second = lua.granted("b");
        assertThat(lua.acquire("c")).endsWith("|" + second);
    }

    @Test
    void a_confirmation_that_comes_late_does_not_shorten_a_renewed_lease() throws IOException {
        lua.acquire("a");
        lua.acquire("b");
        lua.release("a");
        lua.command("PEXPIRE", LOCK, Long.toString(3 * LEASE));
        lua.granted("b");
        assertThat(lua.value()).startsWith("1|b|H|");
        assertThat(lua.ttl(LOCK)).isGreaterThan(2 * LEASE);
    }

    @Test
    void li9_a_hundred_waiters_without_a_listener_are_skipped_at_once() throws IOException {
        lua.acquire("a");
        lua.ofTheDead("hasp:c:dead", () -> {
            for (int i = 0; i < 100; i++) {
                lua.take("dead" + i, LEASE, true, "hasp:c:dead", "");
            }
        });
        lua.acquire("b");
        lua.release("a");
        assertThat(lua.value()).startsWith("1|b|C|");
        assertThat(lua.existing(QUEUE, WAITERS)).isZero();
    }

    @Test
    void li9_a_waiter_that_stopped_polling_is_skipped() throws IOException {
        lua.acquire("a");
        lua.acquire("stopped");
        lua.acquire("b");
        lua.command("HSET", WAITERS, "stopped", "1||meta");
        lua.release("a");
        assertThat(lua.value()).startsWith("1|b|C|");
    }

    @Test
    void any_acquire_on_a_free_lock_serves_the_head_first() throws IOException {
        lua.acquire("a");
        lua.acquire("b");
        lua.command("DEL", LOCK);
        assertThat(lua.tryOnce("c")).startsWith("BUSY");
        assertThat(lua.value()).startsWith("1|b|C|");
        lua.acquire("e");
        lua.command("DEL", LOCK);
        assertThat(lua.acquire("d")).startsWith("BUSY");
        assertThat(lua.value()).startsWith("1|e|C|");
    }

    @Test
    void the_head_takes_a_free_lock_itself() throws IOException {
        lua.acquire("a");
        lua.acquire("b");
        lua.acquire("c");
        lua.command("DEL", LOCK);
        lua.granted("b");
        assertThat(lua.value()).startsWith("1|b|H|");
        assertThat(lua.integer("HEXISTS", WAITERS, "b")).isZero();
    }

    @Test
    void a_waiter_that_withdraws_from_a_free_lock_leaves_it_to_the_next() throws IOException {
        lua.acquire("a");
        lua.acquire("b");
        lua.acquire("c");
        lua.command("DEL", LOCK);
        assertThat(lua.releaseWithTombstone("b")).isEqualTo("NOT_HELD");
        assertThat(lua.value()).startsWith("1|c|C|");
    }

    @Test
    void a_transfer_serves_other_clients_first() throws IOException {
        lua.acquire("a");
        lua.acquire("b");
        assertThat(lua.transfer("a", "a2")).startsWith("RELEASED|BUSY|");
        assertThat(lua.value()).startsWith("1|b|C|");
        assertThat(lua.queue()).isEqualTo(List.of("a2"));
    }

    @Test
    void a_transfer_without_waiters_grants_the_new_holder_a_new_token() throws IOException {
        long first = lua.granted("a");
        String reply = lua.transfer("a", "a2");
        assertThat(reply).startsWith("RELEASED|");
        long second = tokenOf(reply.substring("RELEASED|".length()));
        assertThat(second).isGreaterThan(first);
        assertThat(lua.value()).isEqualTo("1|a2|H|" + second + "|meta");
        assertThat(lua.acquire("a")).startsWith("BUSY");
    }

    @Test
    void a_transfer_from_a_holder_that_lost_the_lock_says_so_and_queues() throws IOException {
        long token = lua.granted("b");
        assertThat(lua.transfer("a", "a2")).startsWith("NOT_HELD|BUSY|");
        assertThat(lua.value()).isEqualTo("1|b|H|" + token + "|meta");
    }

    @Test
    void li3_a_waiter_that_nobody_listens_for_is_told_so_and_waits_without_a_channel() throws IOException {
        lua.granted("a");
        assertThat(lua.take("b", LEASE, true, "hasp:c:nobody", "")).matches("BUSY\\|\\d+\\|500\\|\\d+\\|~");
        assertThat(lua.text("HGET", WAITERS, "b")).endsWith("||meta");
        lua.release("a");
        assertThat(lua.value()).startsWith("1|b|C|");
    }

    /** The server serves no other request until the script ends. */
    @Test
    void a_release_deals_with_about_a_hundred_dead_waiters_and_says_that_more_are_left() throws IOException {
        lua.granted("a");
        hundredsOfDead(250);
        lua.acquire("b");
        assertThat(lua.release("a")).isEqualTo("RELEASED+");
        assertThat(lua.queue()).hasSize(150);
        assertThat(lua.release("a")).isEqualTo("NOT_HELD+");
        assertThat(lua.release("a")).isEqualTo("NOT_HELD");
        assertThat(lua.value()).startsWith("1|b|C|");
        assertThat(lua.existing(QUEUE, WAITERS)).isZero();
    }

    @Test
    void a_waiter_that_meets_a_free_lock_behind_a_hundred_dead_asks_again_at_once_and_a_try_has_it()
            throws IOException {
        lua.granted("a");
        hundredsOfDead(150);
        lua.command("DEL", LOCK);
        assertThat(lua.poll("b")).isEqualTo(1);
        lua.granted("b");
        lua.command("DEL", LOCK, COUNTER);
        lua.granted("a");
        hundredsOfDead(150);
        lua.command("DEL", LOCK);
        assertThat(lua.tryOnce("c")).startsWith("GRANTED|");
    }

    @Test
    void a_transfer_behind_a_hundred_dead_asks_again_at_once() throws IOException {
        lua.granted("a");
        hundredsOfDead(150);
        assertThat(lua.transfer("a", "a2")).matches("RELEASED\\|BUSY\\|\\d+\\|1\\|\\d+");
        assertThat(lua.acquire("a2")).startsWith("GRANTED|");
    }

    private void hundredsOfDead(int count) throws IOException {
        lua.ofTheDead("hasp:c:dead", () -> {
            for (int i = 0; i < count; i++) {
                lua.take("dead" + i, LEASE, true, "hasp:c:dead", "");
            }
        });
    }
}
