package io.hasp.redis.script;

import static io.hasp.redis.script.ScriptClient.COUNTER;
import static io.hasp.redis.script.ScriptClient.LEASE;
import static io.hasp.redis.script.ScriptClient.LOCK;
import static io.hasp.redis.script.ScriptClient.tokenOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The grants of the scripts: tokens, leases, tombstones and renewals. */
class GrantScriptsTest extends ScriptFixture {
    @Test
    void a_free_lock_is_granted_with_the_servers_clock_as_token() throws IOException {
        long before = lua.micros();
        long token = lua.granted("a");
        assertThat(token).isBetween(before, lua.micros());
        assertThat(lua.value()).isEqualTo("1|a|H|" + token + "|meta");
        assertThat(lua.text("GET", COUNTER)).isEqualTo("1|" + token + "|a");
        assertThat(lua.ttl(LOCK)).isBetween(LEASE - 5_000, LEASE);
        assertThat(lua.ttl(COUNTER)).isBetween(LEASE + 55_000, LEASE + 60_000);
    }

    @Test
    void a_repeated_acquire_confirms_with_the_same_token_and_never_shortens_the_lease() throws IOException {
        long token = lua.granted("a");
        assertThat(tokenOf(lua.acquire("a", 1_000))).isEqualTo(token);
        assertThat(lua.ttl(LOCK)).isGreaterThan(LEASE - 5_000);
        assertThat(tokenOf(lua.acquire("a", 2 * LEASE))).isEqualTo(token);
        assertThat(lua.ttl(LOCK)).isGreaterThan(LEASE);
    }

    @Test
    void a_release_without_waiters_deletes_the_lock() throws IOException {
        lua.acquire("a");
        assertThat(lua.release("a")).isEqualTo("RELEASED");
        assertThat(lua.existing(LOCK)).isZero();
        assertThat(lua.release("a")).isEqualTo("NOT_HELD");
    }

    @Test
    void a_release_by_another_holder_changes_nothing() throws IOException {
        long token = lua.granted("a");
        assertThat(lua.release("b")).isEqualTo("NOT_HELD");
        assertThat(lua.value()).isEqualTo("1|a|H|" + token + "|meta");
    }

    @Test
    void a_late_acquire_of_a_holder_with_a_tombstone_is_gone() throws IOException {
        assertThat(lua.releaseWithTombstone("a")).isEqualTo("NOT_HELD");
        assertThat(lua.acquire("a")).isEqualTo("GONE");
        assertThat(lua.existing(LOCK)).isZero();
        assertThat(lua.ttl(ScriptClient.tombstone("a"))).isBetween(55_000L, 60_000L);
    }

    @Test
    void a_release_leaves_a_tombstone_of_the_owner_too_if_asked_to() throws IOException {
        lua.acquire("a");
        assertThat(lua.releaseWithTombstone("a")).isEqualTo("RELEASED");
        lua.granted("b");
        lua.release("b");
        assertThat(lua.acquire("a")).isEqualTo("GONE");
    }

    @Test
    void a_holder_whose_lease_ran_out_is_gone() throws IOException {
        lua.acquire("a");
        lua.command("DEL", LOCK);
        assertThat(lua.acquire("a")).isEqualTo("GONE");
    }

    @Test
    void fe3_tokens_grow_when_the_clock_is_behind_the_counter() throws IOException {
        long ahead = lua.micros() + 3_600_000_000L;
        lua.command("SET", COUNTER, "1|" + ahead + "|z");
        assertThat(lua.granted("a")).isEqualTo(ahead + 1);
        assertThat(lua.ttl(COUNTER)).isGreaterThan(3_600_000L + LEASE);
        lua.release("a");
        assertThat(lua.granted("b")).isEqualTo(ahead + 2);
    }

    @Test
    void fe3_tokens_grow_when_the_server_forgot_everything() throws IOException {
        long first = lua.granted("a");
        lua.clear();
        assertThat(lua.granted("a")).isGreaterThan(first);
    }

    @Test
    void tokens_keep_all_their_digits() throws IOException {
        lua.command("SET", COUNTER, "1|9007199254739998|z");
        assertThat(lua.granted("a")).isEqualTo(9007199254739999L);
        assertThat(lua.granted("a")).isEqualTo(9007199254739999L);
    }

    @Test
    void a_renewal_without_the_counter_prolongs_the_lock_alone() throws IOException {
        lua.acquire("a", 5_000);
        assertThat(lua.run(LockScript.RENEW, List.of(LOCK), List.of("a", "600000")))
                .isEqualTo("1");
        assertThat(lua.ttl(LOCK)).isGreaterThan(550_000);
        assertThat(lua.ttl(COUNTER)).isLessThanOrEqualTo(65_000);
    }

    /** Clients leave the counter out for two minutes after a renewal that named it. */
    @Test
    void a_counter_that_a_renewal_named_outlives_two_minutes_of_renewals_that_do_not() throws IOException {
        lua.granted("a");
        long enough = LEASE + 60_000 + 150_000;
        assertThat(lua.renew("a", LEASE)).isEqualTo("1");
        assertThat(lua.ttl(COUNTER)).as("after the first").isGreaterThanOrEqualTo(enough);
        lua.command("PEXPIRE", COUNTER, Long.toString(enough - 5_000));
        assertThat(lua.renew("a", LEASE)).isEqualTo("1");
        assertThat(lua.ttl(COUNTER)).as("after a later one").isGreaterThanOrEqualTo(enough);
    }

    /** The client may have sent it before the renewal, on another socket. */
    @Test
    void a_late_request_of_the_holder_leaves_the_counter_as_long_as_a_renewal_made_it() throws IOException {
        lua.granted("a");
        lua.renew("a", LEASE);
        long renewed = lua.ttl(COUNTER);
        tokenOf(lua.acquire("a"));
        assertThat(lua.ttl(COUNTER)).isBetween(renewed - 5_000, renewed);
    }

    @Test
    void a_renewal_tells_owner_other_holder_and_foreign_key_apart() throws IOException {
        lua.acquire("a", 5_000);
        lua.command("SET", "hasp:{foreign}", "2|a|something newer");
        lua.command("RPUSH", "hasp:{list}", "x");
        List<String> keys =
                List.of(LOCK, COUNTER, LOCK, COUNTER, "hasp:{foreign}", "f:t", "hasp:{list}", "l:t", "none", "none:t");
        List<String> arguments = List.of("a", "30000", "b", "30000", "a", "30000", "a", "30000", "a", "30000");
        assertThat(lua.run(LockScript.RENEW, keys, arguments)).isEqualTo("10!!0");
        List<String> locks = List.of(LOCK, LOCK, "hasp:{foreign}", "hasp:{list}", "none");
        assertThat(lua.run(LockScript.RENEW, locks, arguments)).isEqualTo("10!!0");
        assertThat(lua.ttl(LOCK)).isGreaterThan(LEASE - 5_000);
        assertThat(lua.ttl(COUNTER)).isGreaterThan(LEASE + 55_000);
        lua.renew("a", 1_000);
        assertThat(lua.ttl(LOCK)).isGreaterThan(LEASE - 5_000);
    }

    @Test
    void fe7_a_renewal_keeps_the_counter_for_as_long_as_a_raised_floor_needs_it() throws IOException {
        lua.granted("a");
        long floor = lua.micros() + 3_600_000_000L;
        lua.raise(floor);
        assertThat(lua.renew("a", LEASE)).isEqualTo("1");
        assertThat(lua.ttl(COUNTER)).isGreaterThan(3_600_000L);
        tokenOf(lua.acquire("a"));
        assertThat(lua.ttl(COUNTER)).isGreaterThan(3_600_000L);
        lua.release("a");
        assertThat(lua.granted("b")).isGreaterThan(floor);
    }

    @Test
    void the_counter_outlives_a_lock_that_was_extended_and_then_renewed_for_less() throws IOException {
        lua.granted("a");
        assertThat(lua.renew("a", 3_600_000)).isEqualTo("1");
        assertThat(lua.renew("a", 50)).isEqualTo("1");
        assertThat(lua.ttl(COUNTER)).isGreaterThan(3_600_000L);
        tokenOf(lua.acquire("a", 50));
        assertThat(lua.ttl(COUNTER)).isGreaterThan(3_600_000L);
    }

    @Test
    void a_renewal_leaves_a_foreign_key_in_the_counters_place_alone() throws IOException {
        for (List<String> foreign :
                List.of(List.of("SET", COUNTER, "someone's value"), List.of("HSET", COUNTER, "f", "v"))) {
            lua.clear();
            lua.granted("a");
            lua.command("DEL", COUNTER);
            lua.command(foreign.toArray(String[]::new));
            assertThat(lua.renew("a", 2 * LEASE)).isEqualTo("1");
            assertThat(lua.ttl(LOCK)).isGreaterThan(LEASE);
            assertThat(lua.ttl(COUNTER)).as("%s never expires", foreign).isEqualTo(-1);
        }
    }
}
