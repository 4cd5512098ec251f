package io.hasp.redis.script;

import static io.hasp.redis.script.ScriptClient.LEASE;
import static io.hasp.redis.script.ScriptClient.LOCK;
import static io.hasp.redis.script.ScriptClient.QUEUE;
import static io.hasp.redis.script.ScriptClient.WAITERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.conformance.servers.RespError;
import java.io.IOException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One name, two kinds of lock: the later request is refused before anything is written, as long as the name is in use. */
class KindScriptsTest extends ScriptFixture {
    private SharedClient five;
    private SharedClient eight;

    @BeforeEach
    void open() {
        five = new SharedClient(lua, 5);
        eight = new SharedClient(lua, 8);
    }

    @Test
    void an_exclusive_lock_refuses_shares() throws IOException {
        lua.granted("a");
        refused(() -> five.acquire("s", 1), 1, 5);
        refused(() -> five.tryOnce("s", 1), 1, 5);
        lua.release("a");
        five.granted("s", 1);
    }

    @Test
    void shares_refuse_an_exclusive_lock() throws IOException {
        five.granted("s", 1);
        refused(() -> lua.acquire("a"), 5, 1);
        refused(() -> lua.tryOnce("a"), 5, 1);
        refused(() -> lua.transfer("b", "a"), 5, 1);
        five.release("s");
        lua.granted("a");
    }

    @Test
    void shares_refuse_those_of_another_capacity() throws IOException {
        five.granted("s", 1);
        refused(() -> eight.acquire("s8", 1), 5, 8);
        refused(() -> eight.tryOnce("s8", 1), 5, 8);
        five.release("s");
        eight.granted("s8", 1);
        assertThat(eight.stored().capacity()).isEqualTo(8);
    }

    @Test
    void who_waits_for_a_share_refuses_other_kinds_when_all_holders_have_left() throws IOException {
        five.granted("s", 5);
        five.take("w", 5, LEASE, true, "", "");
        five.end("s");
        refused(() -> lua.acquire("a"), 5, 1);
        refused(() -> eight.acquire("s8", 1), 5, 8);
        five.granted("w", 5);
    }

    @Test
    void who_waits_for_an_exclusive_lock_refuses_shares_when_its_holder_has_left() throws IOException {
        lua.granted("a");
        lua.acquire("b");
        lua.command("DEL", LOCK);
        refused(() -> five.acquire("s", 1), 1, 5);
        lua.granted("b");
    }

    @Test
    void waiters_that_are_dead_refuse_nobody() throws IOException {
        lua.granted("a");
        lua.ofTheDead("hasp:c:nobody", () -> lua.take("b", LEASE, true, "hasp:c:nobody", ""));
        lua.acquire("c");
        lua.command("HSET", WAITERS, "c", "1||meta");
        lua.command("DEL", LOCK);
        five.granted("s", 1);
        assertThat(lua.existing(QUEUE, WAITERS)).isZero();
    }

    /** A script looks at a hundred waiters only, so that it must not believe that those behind them are dead, too. */
    @Test
    void a_waiter_behind_a_hundred_dead_refuses_shares() throws IOException {
        lua.granted("a");
        lua.ofTheDead("hasp:c:nobody", () -> {
            for (int i = 0; i < 100; i++) {
                lua.take("dead" + i, LEASE, true, "hasp:c:nobody", "");
            }
        });
        String place = lua.acquire("b").split("\\|")[1];
        lua.command("DEL", LOCK);
        refused(() -> five.acquire("s", 1), 1, 5);
        assertThat(lua.take("b", LEASE, true, "", place)).startsWith("GRANTED|");
    }

    @Test
    void a_hundred_dead_refuse_shares_only_if_somebody_is_behind_them() throws IOException {
        lua.granted("a");
        lua.ofTheDead("hasp:c:nobody", () -> {
            for (int i = 0; i < 100; i++) {
                lua.take("dead" + i, LEASE, true, "hasp:c:nobody", "");
            }
        });
        lua.command("DEL", LOCK);
        five.granted("s", 1);
    }

    @Test
    void waiters_for_shares_whose_lock_was_deleted_refuse_no_shares() throws IOException {
        five.granted("s", 5);
        lua.ofTheDead("hasp:c:nobody", () -> {
            for (int i = 0; i < 101; i++) {
                five.take("dead" + i, 5, LEASE, true, "hasp:c:nobody", "");
            }
        });
        lua.command("DEL", LOCK);
        assertThat(five.tryOnce("t", 1)).startsWith("GRANTED|");
    }

    /** Their entries and the queue are kept for long, where they were far from the front. */
    @Test
    void waiters_for_shares_that_are_dead_refuse_nobody() throws IOException {
        five.granted("s", 5);
        five.refused("silent", 5);
        five.silence("silent");
        lua.ofTheDead("hasp:c:nobody", () -> five.take("unheard", 5, LEASE, true, "hasp:c:nobody", ""));
        five.end("s");
        eight.granted("s8", 8);
        eight.release("s8");
        five.granted("s", 5);
        lua.ofTheDead("hasp:c:nobody", () -> five.take("unheard", 5, LEASE, true, "hasp:c:nobody", ""));
        five.end("s");
        long token = lua.granted("a");
        assertThat(lua.value()).isEqualTo("1|a|H|" + token + "|meta");
        assertThat(lua.existing(QUEUE, WAITERS)).isZero();
    }

    @Test
    void shares_that_are_over_refuse_nobody() throws IOException {
        five.granted("s", 1);
        five.end("s");
        eight.granted("s8", 8);
        assertThat(five.record("s")).isNull();
        assertThat(eight.stored().used()).isEqualTo(8);
        eight.end("s8");
        long token = lua.granted("a");
        assertThat(lua.value()).isEqualTo("1|a|H|" + token + "|meta");
    }

    @Test
    void one_share_that_is_held_refuses_other_kinds_beside_one_that_is_over() throws IOException {
        five.granted("s", 1);
        five.granted("over", 1);
        five.end("over");
        refused(() -> lua.acquire("a"), 5, 1);
        refused(() -> eight.acquire("s8", 1), 5, 8);
        five.end("s");
        lua.granted("a");
    }

    @Test
    void shares_that_are_over_do_not_bury_an_exclusive_transfer() throws IOException {
        five.granted("s", 1);
        five.end("s");
        assertThat(lua.transfer("a", "b")).startsWith("NOT_HELD|GRANTED|");
    }

    @Test
    void tokens_grow_across_kinds() throws IOException {
        long ahead = lua.micros() + 3_600_000_000L;
        lua.raise(ahead);
        long exclusive = lua.granted("a");
        lua.release("a");
        long shared = five.granted("s", 1);
        five.release("s");
        assertThat(exclusive).isGreaterThan(ahead);
        assertThat(shared).isGreaterThan(exclusive);
        assertThat(lua.granted("b")).isGreaterThan(shared);
    }

    @Test
    void an_exclusive_holder_that_was_over_before_is_not_held() throws IOException {
        five.granted("s", 5);
        five.refused("w", 1);
        assertThat(lua.releaseWithTombstone("a")).isEqualTo("NOT_HELD");
        assertThat(lua.existing(ScriptClient.tombstone("a"))).isEqualTo(1);
        assertThat(lua.queue()).isEqualTo(List.of("w"));
        assertThat(lua.renew("a", LEASE)).isEqualTo("!");
    }

    @Test
    void an_exclusive_waiter_that_met_shares_leaves_the_queue_with_its_release() throws IOException {
        lua.granted("a");
        lua.acquire("b");
        lua.command("HSET", WAITERS, "b", "1||meta");
        lua.command("DEL", LOCK);
        lua.command("ZADD", QUEUE, "1", "b");
        five.granted("s", 5);
        five.refused("w", 1);
        lua.command("ZADD", QUEUE, "1", "b");
        assertThat(lua.release("b")).isEqualTo("NOT_HELD");
        assertThat(lua.queue()).isEqualTo(List.of("w"));
    }

    @Test
    void a_share_that_was_over_before_is_not_held() throws IOException {
        long token = lua.granted("a");
        lua.acquire("b");
        assertThat(five.release("s", true)).isEqualTo("NOT_HELD");
        assertThat(lua.existing(ScriptClient.tombstone("s"))).isEqualTo(1);
        assertThat(five.renew("s", 1, LEASE)).isEqualTo("!");
        assertThat(lua.value()).isEqualTo("1|a|H|" + token + "|meta");
        assertThat(lua.queue()).isEqualTo(List.of("b"));
    }

    private void refused(ThrowingCallable call, int present, int wanted) throws IOException {
        String before = lua.dump();
        assertThatThrownBy(call)
                .isInstanceOf(RespError.class)
                .hasMessageContaining("KIND " + LOCK + " has capacity " + present + ", not " + wanted);
        assertThat(lua.dump()).isEqualTo(before);
    }
}
