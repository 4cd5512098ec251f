package io.hasp.redis.script;

import static io.hasp.redis.script.ScriptClient.COUNTER;
import static io.hasp.redis.script.ScriptClient.LEASE;
import static io.hasp.redis.script.ScriptClient.LOCK;
import static io.hasp.redis.script.ScriptClient.tokenOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Share;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The grants of shares: how much fits, tokens, leases, tombstones, renewals and lowering. */
class SharedGrantScriptsTest extends ScriptFixture {
    private SharedClient five;

    @BeforeEach
    void open() {
        five = new SharedClient(lua, 5);
    }

    @Test
    void as_many_are_granted_as_fit() throws IOException {
        long first = five.granted("a", 2);
        long second = five.granted("b", 3);
        assertThat(second).isGreaterThan(first);
        assertThat(five.tryOnce("c", 1)).isEqualTo("BUSY||500");
        assertThat(five.stored().used()).isEqualTo(5);
        assertThat(five.release("a")).isEqualTo("RELEASED");
        five.granted("c", 2);
        assertThat(five.tryOnce("d", 1)).isEqualTo("BUSY||500");
    }

    @Test
    void what_is_stored_names_layout_capacity_used_and_ends() throws IOException {
        long before = lua.micros();
        long token = five.granted("a", 2);
        assertThat(token).isBetween(before, lua.micros());
        SharedClient.Holding record = five.held("a");
        assertThat(record.text()).isEqualTo(record.ends() + "|H|2|" + token + "|meta");
        assertThat(record.ends()).isBetween(before / 1000 + LEASE, lua.micros() / 1000 + LEASE);
        assertThat(lua.text("HGET", LOCK, ".")).isEqualTo("2|5|2|" + record.ends() + "|" + record.ends());
        assertThat(lua.integer("PEXPIRETIME", LOCK)).isEqualTo(record.ends());
        assertThat(lua.text("GET", COUNTER)).isEqualTo("1|" + token + "|a");
        assertThat(lua.ttl(COUNTER)).isBetween(LEASE + 55_000, LEASE + 60_000);
    }

    @Test
    void a_lock_whose_only_holder_goes_leaves_its_counter_behind_and_nothing_else() throws IOException {
        five.granted("a", 5);
        assertThat(five.release("a")).isEqualTo("RELEASED");
        assertThat(lua.command("KEYS", "*")).isEqualTo(List.of(COUNTER));
        assertThat(five.release("a")).isEqualTo("NOT_HELD");
        assertThat(lua.command("KEYS", "*")).isEqualTo(List.of(COUNTER));
    }

    @Test
    void a_repeated_acquire_confirms_with_the_same_token_and_weight_and_never_shortens_the_lease() throws IOException {
        long token = five.granted("a", 2);
        long ends = five.held("a").ends();
        assertThat(tokenOf(five.acquire("a", 3, 1_000))).isEqualTo(token);
        assertThat(five.held("a").ends()).isEqualTo(ends);
        assertThat(tokenOf(five.acquire("a", 2, 3 * LEASE))).isEqualTo(token);
        assertThat(five.held("a").ends()).isGreaterThan(ends + LEASE);
        assertThat(lua.integer("PEXPIRETIME", LOCK)).isEqualTo(five.held("a").ends());
        assertThat(lua.ttl(COUNTER)).isGreaterThan(3 * LEASE + 55_000);
        assertThat(five.stored().used()).isEqualTo(2);
    }

    @Test
    void a_release_by_another_holder_changes_nothing() throws IOException {
        five.granted("a", 2);
        String before = lua.dump();
        assertThat(five.release("b")).isEqualTo("NOT_HELD");
        assertThat(lua.dump()).isEqualTo(before);
    }

    @Test
    void a_late_acquire_of_a_holder_with_a_tombstone_is_gone() throws IOException {
        five.granted("a", 2);
        assertThat(five.release("a", true)).isEqualTo("RELEASED");
        assertThat(five.release("b", true)).isEqualTo("NOT_HELD");
        for (String holder : List.of("a", "b")) {
            assertThat(five.acquire(holder, 1)).isEqualTo("GONE");
            assertThat(lua.ttl(ScriptClient.tombstone(holder))).isBetween(55_000L, 60_000L);
        }
        five.granted("c", 5);
        assertThat(five.acquire("a", 1)).isEqualTo("GONE");
        assertThat(lua.queue()).isEmpty();
    }

    @Test
    void a_share_past_its_end_is_over_though_it_is_still_stored() throws IOException {
        long first = five.granted("a", 3);
        five.granted("b", 2);
        five.end("a");
        assertThat(five.renew("a", 3, LEASE)).isEqualTo("0");
        assertThat(five.held("a").ends()).isEqualTo(1);
        assertThat(five.granted("a", 3)).isGreaterThan(first);
        five.end("a");
        assertThat(five.release("a")).isEqualTo("NOT_HELD");
        assertThat(five.record("a")).isNull();
        assertThat(five.stored().used()).isEqualTo(2);
    }

    @Test
    void shares_that_are_over_are_removed_with_the_next_acquire() throws IOException {
        five.granted("a", 1);
        five.granted("b", 1);
        five.granted("c", 3);
        five.end("a");
        five.end("c");
        five.granted("d", 4);
        assertThat(five.record("a")).isNull();
        assertThat(five.record("c")).isNull();
        assertThat(five.stored().used()).isEqualTo(5);
        assertThat(five.stored().soonest()).isEqualTo(five.held("b").ends());
    }

    @Test
    void shares_that_are_over_are_removed_even_if_the_next_would_fit_beside_them() throws IOException {
        five.granted("a", 1);
        five.end("a");
        five.granted("b", 1);
        assertThat(five.record("a")).isNull();
        assertThat(five.stored().used()).isEqualTo(1);
    }

    @Test
    void a_thousand_shares_that_are_over_are_removed_at_once() throws IOException {
        SharedClient many = new SharedClient(lua, 1_050);
        for (int i = 0; i < 1_050; i++) {
            many.granted("h" + i, 1);
        }
        String soon = many.stored().soonest(1).text();
        for (int i = 0; i < 1_049; i++) {
            lua.command("HSET", LOCK, "h" + i, many.held("h" + i).endingAt(1).text(), ".", soon);
        }
        many.granted("next", 1_049);
        assertThat(lua.integer("HLEN", LOCK)).isEqualTo(3);
        assertThat(many.stored().used()).isEqualTo(1_050);
    }

    @Test
    void the_lock_expires_with_the_last_of_its_shares() throws IOException {
        five.acquire("a", 1, 2 * LEASE);
        five.acquire("b", 1, LEASE);
        assertThat(lua.integer("PEXPIRETIME", LOCK)).isEqualTo(five.held("a").ends());
        assertThat(five.stored().soonest()).isEqualTo(five.held("b").ends());
        five.acquire("c", 1, 2 * LEASE);
        assertThat(five.stored().soonest()).isEqualTo(five.held("b").ends());
        assertThat(five.renew("b", 1, 3 * LEASE)).isEqualTo("1");
        assertThat(lua.integer("PEXPIRETIME", LOCK)).isEqualTo(five.held("b").ends());
        assertThat(five.stored().till()).isEqualTo(five.held("b").ends());
        five.acquire("short", 1, 30);
        assertThat(five.stored().soonest()).isEqualTo(five.held("short").ends());
    }

    @Test
    void a_renewal_prolongs_and_never_shortens() throws IOException {
        five.acquire("a", 2, 1_000);
        long soon = five.held("a").ends();
        assertThat(five.renew("a", 2, LEASE)).isEqualTo("1");
        long end = five.held("a").ends();
        assertThat(end).isGreaterThan(soon + LEASE - 5_000);
        assertThat(lua.ttl(COUNTER)).isGreaterThan(LEASE + 55_000);
        assertThat(five.renew("a", 2, 1_000)).isEqualTo("1");
        assertThat(five.held("a").ends()).isEqualTo(end);
        assertThat(five.renew("b", 2, LEASE)).isEqualTo("0");
    }

    @Test
    void a_renewal_lowers_the_weight_and_never_raises_it() throws IOException {
        SharedClient files = new SharedClient(lua, Share.READ_WRITE);
        long token = files.granted("w", Share.READ_WRITE);
        assertThat(files.tryOnce("r", 1)).startsWith("BUSY");
        assertThat(files.renew("w", 1, LEASE)).isEqualTo("1");
        assertThat(files.held("w").weight()).isEqualTo(1);
        assertThat(files.held("w").token()).isEqualTo(token);
        files.granted("r", 1);
        assertThat(files.renew("w", Share.READ_WRITE, LEASE)).isEqualTo("1");
        assertThat(files.held("w").weight()).isEqualTo(1);
        assertThat(files.stored().used()).isEqualTo(2);
    }

    @Test
    void one_call_renews_many_and_tells_them_apart() throws IOException {
        five.granted("a", 2);
        lua.command("SET", "hasp:{exclusive}", "1|a|H|7|meta");
        lua.command("HSET", "hasp:{hash}", "someone", "else");
        lua.command("HSET", "hasp:{newer}", ".", "3|something newer");
        List<String> keys = new ArrayList<>();
        List<String> arguments = new ArrayList<>();
        for (String key : List.of(LOCK, "none", "hasp:{exclusive}", "hasp:{hash}", "hasp:{newer}", LOCK)) {
            keys.addAll(LockKeys.renewedShare(key));
            arguments.addAll(List.of(arguments.isEmpty() ? "b" : "a", "60000", "2"));
        }
        assertThat(lua.run(LockScript.SHARED_RENEW, keys, arguments)).isEqualTo("00!!!1");
        assertThat(five.held("a").ends()).isGreaterThan(lua.micros() / 1000 + 50_000);
    }

    @Test
    void a_renewal_without_the_counter_prolongs_the_lock_alone() throws IOException {
        five.granted("a", 2);
        long memory = lua.ttl(COUNTER);
        assertThat(lua.run(LockScript.SHARED_RENEW, List.of(LOCK), List.of("a", "600000", "1")))
                .isEqualTo("1");
        assertThat(five.held("a").ends()).isGreaterThan(lua.micros() / 1000 + 500_000);
        assertThat(lua.ttl(COUNTER)).isLessThanOrEqualTo(memory);
        assertThat(five.stored().used()).isEqualTo(2);
    }

    @Test
    void fe3_tokens_grow_when_the_clock_is_behind_the_counter() throws IOException {
        long ahead = lua.micros() + 3_600_000_000L;
        lua.command("SET", COUNTER, "1|" + ahead + "|z");
        assertThat(five.granted("a", 1)).isEqualTo(ahead + 1);
        assertThat(five.granted("b", 1)).isEqualTo(ahead + 2);
        assertThat(lua.ttl(COUNTER)).isGreaterThan(3_600_000L + LEASE);
        five.renew("a", 1, LEASE);
        assertThat(lua.ttl(COUNTER)).isGreaterThan(3_600_000L + LEASE);
    }

    @Test
    void fe3_tokens_grow_when_the_counter_was_deleted_while_shares_are_held() throws IOException {
        long ahead = lua.micros() + 3_600_000_000L;
        lua.command("SET", COUNTER, "1|" + ahead + "|z");
        long token = five.granted("a", 1);
        lua.command("DEL", COUNTER);
        assertThat(five.granted("b", 1)).isGreaterThan(token);
    }

    @Test
    void tokens_keep_all_their_digits() throws IOException {
        lua.command("SET", COUNTER, "1|9007199254739998|z");
        assertThat(five.granted("a", 1)).isEqualTo(9007199254739999L);
        assertThat(five.granted("a", 1)).isEqualTo(9007199254739999L);
    }

    @Test
    void fe7_a_floor_is_raised_while_shares_are_held_and_later_tokens_are_above_it() throws IOException {
        long floor = five.granted("a", 1) + 3_600_000_000L;
        assertThat(lua.raise(floor)).isEqualTo("RAISED");
        assertThat(five.granted("b", 1)).isGreaterThan(floor);
        assertThat(five.renew("a", 1, LEASE)).isEqualTo("1");
        assertThat(lua.ttl(COUNTER)).isGreaterThan(3_600_000L);
    }
}
