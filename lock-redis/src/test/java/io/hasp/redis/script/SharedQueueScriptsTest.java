package io.hasp.redis.script;

import static io.hasp.redis.script.ScriptClient.COUNTER;
import static io.hasp.redis.script.ScriptClient.LEASE;
import static io.hasp.redis.script.ScriptClient.LOCK;
import static io.hasp.redis.script.ScriptClient.QUEUE;
import static io.hasp.redis.script.ScriptClient.WAITERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RespConnection;
import io.hasp.spi.Share;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The queue for shares. The numbers are those of the rules in the protocol's model. */
class SharedQueueScriptsTest extends ScriptFixture {
    private static final int ALL = Share.READ_WRITE;
    private SharedClient files;
    private SharedClient five;

    @BeforeEach
    void open() {
        files = new SharedClient(lua, ALL);
        five = new SharedClient(lua, 5);
    }

    /** As of an exclusive lock, whether a waiter comes back or a new one comes first. */
    @Test
    void waiters_that_were_evicted_come_back_with_an_expiry() throws IOException {
        five.granted("a", 5);
        List<Long> first = five.refused("b", 1);
        lua.command("DEL", WAITERS);
        five.refused("c", 1);
        assertThat(lua.ttl(WAITERS)).isBetween(6_000L, 7_000L);
        lua.command("DEL", WAITERS);
        assertThat(five.take("b", 1, LEASE, true, "", Long.toString(first.get(0))))
                .startsWith("BUSY|");
        assertThat(lua.ttl(WAITERS)).isBetween(6_000L, 7_000L);
        assertThat(lua.queue()).isEqualTo(List.of("b", "c"));
    }

    @Test
    void rule_1_a_newcomer_never_passes_a_live_head_even_if_it_fits() throws IOException {
        files.granted("r1", 1);
        files.refused("w", ALL);
        assertThat(files.tryOnce("r2", 1)).isEqualTo("BUSY||500");
        files.refused("r3", 1);
        assertThat(lua.queue()).isEqualTo(List.of("w", "r3"));
        files.release("r1");
        assertThat(files.held("w").mark()).isEqualTo('C');
        assertThat(files.record("r3")).isNull();
    }

    @Test
    void rule_2_nobody_behind_a_head_that_does_not_fit_is_served() throws IOException {
        five.granted("a", 2);
        five.granted("b", 3);
        five.refused("big", 4);
        five.refused("small", 1);
        five.release("a");
        assertThat(lua.queue()).isEqualTo(List.of("big", "small"));
        five.refused("small", 1);
        five.release("b");
        assertThat(lua.queue()).isEmpty();
        assertThat(five.held("big").weight()).isEqualTo(4);
        assertThat(five.held("small").weight()).isEqualTo(1);
    }

    @Test
    void rule_3_a_dead_head_that_does_not_fit_is_removed_by_the_next_acquire() throws IOException {
        files.granted("r1", 1);
        lua.ofTheDead("hasp:c:nobody", () -> files.take("unheard", ALL, LEASE, true, "hasp:c:nobody", ""));
        files.granted("r2", 1);
        files.refused("silent", ALL);
        files.silence("silent");
        files.granted("r3", 1);
        assertThat(lua.existing(QUEUE, WAITERS)).isZero();
    }

    @Test
    void rule_3_a_dead_head_that_does_not_fit_is_removed_by_the_next_release() throws IOException {
        files.granted("r1", 1);
        files.granted("r2", 1);
        files.refused("silent", ALL);
        files.refused("r3", 1);
        files.silence("silent");
        files.release("r1");
        assertThat(files.held("r3").mark()).isEqualTo('C');
    }

    @Test
    void rule_4_all_heads_that_fit_are_served_in_one_go_and_told_once_each() throws IOException {
        try (RespConnection listener = server.connect()) {
            listener.send("SUBSCRIBE", "hasp:c:1", "hasp:c:2");
            listener.receive();
            listener.receive();
            files.granted("w", ALL);
            for (int i = 0; i < 9; i++) {
                files.take("r" + i, 1, LEASE, true, "hasp:c:" + (i % 2 + 1), "");
            }
            files.take("w2", ALL, LEASE, true, "hasp:c:1", "");
            files.take("r9", 1, LEASE, true, "hasp:c:1", "");
            lua.command("CONFIG", "RESETSTAT");

            assertThat(files.release("w")).isEqualTo("RELEASED");

            for (int i = 0; i < 9; i++) {
                SharedClient.Holding granted = files.held("r" + i);
                assertThat(granted.mark()).isEqualTo('C');
                assertThat(listener.receive())
                        .isEqualTo(List.of(
                                "message", "hasp:c:" + (i % 2 + 1), "r" + i + "|" + granted.token() + "|1250|" + LOCK));
                if (i > 0) {
                    assertThat(granted.token())
                            .isGreaterThan(files.held("r" + (i - 1)).token());
                }
            }
            assertThat(lua.queue()).isEqualTo(List.of("w2", "r9"));
            assertThat(files.stored().used()).isEqualTo(9);
            assertThat(lua.text("INFO", "commandstats")).contains("cmdstat_publish:calls=9,");
            assertThat(lua.text("GET", COUNTER))
                    .isEqualTo("1|" + files.held("r8").token() + "|r8");
        }
    }

    @Test
    void rule_4_an_acquire_that_is_its_turn_serves_those_behind_it_as_well() throws IOException {
        files.acquire("w", ALL, LEASE);
        files.refused("r1", 1);
        files.refused("r2", 1);
        files.end("w");
        files.granted("r1", 1);
        assertThat(files.held("r1").mark()).isEqualTo('H');
        assertThat(files.held("r2").mark()).isEqualTo('C');
        assertThat(lua.existing(QUEUE, WAITERS)).isZero();
    }

    @Test
    void rule_5_the_end_of_a_waiter_serves_those_behind_it() throws IOException {
        files.granted("r1", 1);
        files.refused("w", ALL);
        files.refused("r2", 1);
        files.refused("r3", 1);
        assertThat(files.release("w", true)).isEqualTo("NOT_HELD");
        assertThat(files.held("r2").mark()).isEqualTo('C');
        assertThat(files.held("r3").mark()).isEqualTo('C');
        assertThat(files.acquire("w", ALL)).isEqualTo("GONE");
    }

    @Test
    void rule_6_a_refusal_tells_the_counter_never_the_token_of_a_holder() throws IOException {
        files.granted("r1", 1);
        long newest = files.granted("r2", 1);
        assertThat(files.refused("w", ALL).get(2)).isEqualTo(newest);
        files.release("r2");
        assertThat(files.refused("w", ALL).get(2)).isEqualTo(newest);
    }

    @Test
    void rule_7_a_late_renewal_of_the_write_time_does_not_weigh_all_again() throws IOException {
        files.granted("w", ALL);
        files.refused("r", 1);
        files.renew("w", 1, LEASE);
        files.renew("w", ALL, LEASE);
        assertThat(files.held("w").weight()).isEqualTo(1);
        assertThat(files.stored().used()).isEqualTo(2);
        files.release("w");
        assertThat(files.stored().used()).isEqualTo(1);
    }

    @Test
    void a_partial_lowering_lets_in_who_fits_now() throws IOException {
        five.granted("a", 5);
        five.refused("b", 2);
        five.refused("c", 2);
        five.refused("d", 1);
        assertThat(five.renew("a", 3, LEASE)).isEqualTo("1");
        assertThat(five.held("b").mark()).isEqualTo('C');
        assertThat(lua.queue()).isEqualTo(List.of("c", "d"));
        assertThat(five.stored().used()).isEqualTo(5);
        assertThat(five.renew("a", 1, LEASE)).isEqualTo("1");
        assertThat(five.held("c").mark()).isEqualTo('C');
        assertThat(lua.queue()).isEqualTo(List.of("d"));
    }

    @Test
    void a_partial_lowering_does_not_count_shares_that_are_over() throws IOException {
        five.granted("a", 3);
        five.granted("b", 2);
        five.refused("c", 3);
        five.end("b");
        assertThat(five.renew("a", 2, LEASE)).isEqualTo("1");
        assertThat(five.held("c").mark()).isEqualTo('C');
        assertThat(five.stored().used()).isEqualTo(5);
    }

    @Test
    void a_waiter_that_was_told_confirms_with_its_token_and_gets_the_whole_lease() throws IOException {
        files.granted("w", ALL);
        files.refused("r", 1);
        files.release("w");
        SharedClient.Holding claim = files.held("r");
        assertThat(claim.ends()).isBetween(lua.micros() / 1000, lua.micros() / 1000 + 1_250);
        assertThat(files.granted("r", 1)).isEqualTo(claim.token());
        assertThat(files.held("r").mark()).isEqualTo('H');
        assertThat(files.held("r").ends()).isGreaterThan(lua.micros() / 1000 + LEASE - 5_000);
        assertThat(lua.ttl(LOCK)).isGreaterThan(LEASE - 5_000);
    }

    @Test
    void a_claim_that_nobody_confirms_ends_and_the_next_gets_in() throws IOException {
        files.granted("w", ALL);
        files.refused("w2", ALL);
        files.refused("r", 1);
        files.release("w");
        files.end("w2");
        files.granted("r", 1);
        assertThat(files.record("w2")).isNull();
    }

    @Test
    void waiters_keep_their_tickets_in_order_of_arrival() throws IOException {
        five.granted("a", 5);
        long second = five.refused("b", 1).get(0);
        long third = five.refused("c", 1).get(0);
        assertThat(third).isGreaterThan(second);
        assertThat(five.refused("b", 1).get(0)).isEqualTo(second);
        lua.command("ZREM", QUEUE, "b");
        assertThat(five.take("b", 1, LEASE, true, "", Long.toString(second))).startsWith("BUSY|" + second + "|");
        assertThat(lua.queue()).isEqualTo(List.of("b", "c"));
    }

    @Test
    void only_the_first_polls_when_the_soonest_share_ends() throws IOException {
        five.acquire("a", 3, 30_000);
        five.acquire("b", 2, 200);
        assertThat(five.refused("c", 1).get(1)).isBetween(1L, 201L);
        assertThat(five.refused("d", 1).get(1)).isEqualTo(500);
    }

    @Test
    void the_lock_is_kept_for_as_long_as_somebody_waits() throws IOException {
        five.acquire("a", 5, 100);
        five.refused("b", 1);
        assertThat(lua.ttl(LOCK)).isBetween(1_750L, 7_000L);
        assertThat(lua.ttl(QUEUE)).isBetween(6_000L, 7_000L);
        assertThat(five.stored().till()).isEqualTo(lua.integer("PEXPIRETIME", LOCK));
    }

    @Test
    void busy_without_queueing_leaves_nothing_behind() throws IOException {
        five.granted("a", 5);
        String before = lua.dump();
        assertThat(five.tryOnce("b", 1)).isEqualTo("BUSY||500");
        assertThat(lua.dump()).isEqualTo(before);
    }

    @Test
    void li9_one_script_passes_a_hundred_dead_waiters_and_says_that_there_are_more() throws IOException {
        five.granted("a", 4);
        five.refused("b", 5);
        enterDead(250);
        assertThat(five.refused("b", 5).get(1)).isEqualTo(1);
        assertThat(lua.queue()).hasSize(151);
        assertThat(five.release("a")).isEqualTo("RELEASED+");
        assertThat(lua.queue()).hasSize(51);
        assertThat(five.record("b")).isNull();
        assertThat(five.release("a")).isEqualTo("NOT_HELD");
        assertThat(five.held("b").mark()).isEqualTo('C');
        assertThat(lua.existing(QUEUE, WAITERS)).isZero();
    }

    @Test
    void while_nothing_is_free_nobody_in_the_queue_is_looked_at() throws IOException {
        five.granted("a", 5);
        enterDead(3);
        assertThat(five.refused("b", 1).get(1)).isEqualTo(500);
        assertThat(lua.queue()).hasSize(4);
        assertThat(five.release("a")).isEqualTo("RELEASED");
        assertThat(five.held("b").mark()).isEqualTo('C');
        assertThat(lua.existing(QUEUE, WAITERS)).isZero();
    }

    @Test
    void li9_a_free_lock_is_granted_to_a_single_try_however_many_dead_waiters_there_are() throws IOException {
        five.granted("a", 5);
        enterDead(350);
        five.end("a");
        assertThat(five.tryOnce("b", 5)).startsWith("GRANTED");
        assertThat(lua.queue()).isEmpty();
    }

    @Test
    void li9_one_script_lets_a_hundred_waiters_in_and_says_that_there_are_more() throws IOException {
        files.granted("w", ALL);
        for (int i = 0; i < 130; i++) {
            files.refused("r" + i, 1);
        }
        assertThat(files.release("w")).isEqualTo("RELEASED+");
        assertThat(files.stored().used()).isEqualTo(100);
        assertThat(files.release("w")).isEqualTo("NOT_HELD");
        assertThat(files.stored().used()).isEqualTo(130);
    }

    private void enterDead(int waiters) throws IOException {
        for (int i = 0; i < waiters; i++) {
            lua.command("ZADD", QUEUE, Integer.toString(i), "dead" + i);
            lua.command("HSET", WAITERS, "dead" + i, "1|1||meta");
        }
    }

    @Test
    void li3_a_waiter_that_nobody_listens_for_is_told_so_and_waits_without_a_channel() throws IOException {
        files.granted("w", ALL);
        assertThat(files.take("r", 1, LEASE, true, "hasp:c:nobody", "")).matches("BUSY\\|\\d+\\|500\\|\\d+\\|~");
        files.release("w");
        assertThat(files.held("r").mark()).isEqualTo('C');
    }

    @Test
    void a_release_serves_the_first_waiter_also_where_listeners_may_not_be_counted() throws IOException {
        files.granted("w", ALL);
        files.take("w2", ALL, LEASE, true, "hasp:c:1", "");
        lua.command("HSET", WAITERS, "w2", Long.toString(lua.micros() / 1000 + LEASE) + "|" + ALL + "|hasp:c:1|meta");
        lua.command("ACL", "SETUSER", "limited", "on", ">p", "~*", "&*", "+@all", "-pubsub");
        lua.command("AUTH", "limited", "p");
        assertThat(files.release("w")).isEqualTo("RELEASED");
        assertThat(files.held("w2").mark()).isEqualTo('C');
    }
}
