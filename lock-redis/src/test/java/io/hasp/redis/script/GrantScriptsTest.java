package io.hasp.redis.script;

import static io.hasp.redis.script.ScriptClient.LEASE;
import static io.hasp.redis.script.ScriptClient.LOCK;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Grants, tokens and their life, on a real server. */
class GrantScriptsTest {
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
    void a_free_lock_is_granted_with_the_servers_clock_as_token() throws IOException {
        long before = lua.micros();
        long token = ScriptClient.granted(lua.acquire("a"));
        assertThat(token).isBetween(before, lua.micros());
        assertThat(lua.redis().text("GET", LOCK)).isEqualTo("1|a|H|" + token + "|meta");
        assertThat(lua.redis().text("GET", LOCK + ":t")).isEqualTo("1|" + token + "|a");
        assertThat(lua.ttl(LOCK)).isBetween(LEASE - 5_000, LEASE);
        assertThat(lua.ttl(LOCK + ":t")).isBetween(LEASE + 55_000, LEASE + 60_000);
    }

    @Test
    void asking_again_confirms_with_the_same_token_and_never_shortens() throws IOException {
        long token = ScriptClient.granted(lua.acquire("a"));
        assertThat(ScriptClient.granted(lua.take("a", 1_000, true, "", ""))).isEqualTo(token);
        assertThat(lua.ttl(LOCK)).isGreaterThan(LEASE - 5_000);
        assertThat(ScriptClient.granted(lua.take("a", 2 * LEASE, true, "", ""))).isEqualTo(token);
        assertThat(lua.ttl(LOCK)).isGreaterThan(LEASE);
    }

    @Test
    void a_release_without_waiters_deletes_the_lock() throws IOException {
        lua.acquire("a");
        assertThat(lua.release("a", false)).isEqualTo("RELEASED");
        assertThat(lua.redis().integer("EXISTS", LOCK)).isZero();
        assertThat(lua.release("a", false)).isEqualTo("NOT_HELD");
    }

    @Test
    void a_release_by_another_holder_changes_nothing() throws IOException {
        long token = ScriptClient.granted(lua.acquire("a"));
        assertThat(lua.release("b", false)).isEqualTo("NOT_HELD");
        assertThat(lua.redis().text("GET", LOCK)).isEqualTo("1|a|H|" + token + "|meta");
    }

    @Test
    void a_late_acquire_of_a_buried_holder_is_gone() throws IOException {
        assertThat(lua.release("a", true)).isEqualTo("NOT_HELD");
        assertThat(lua.acquire("a")).isEqualTo("GONE");
        assertThat(lua.redis().integer("EXISTS", LOCK)).isZero();
        assertThat(lua.ttl(LOCK + ":x:a")).isBetween(55_000L, 60_000L);
    }

    @Test
    void a_release_buries_the_owner_too_where_asked() throws IOException {
        lua.acquire("a");
        assertThat(lua.release("a", true)).isEqualTo("RELEASED");
        ScriptClient.granted(lua.acquire("b"));
        lua.release("b", false);
        assertThat(lua.acquire("a")).isEqualTo("GONE");
    }

    @Test
    void a_holder_whose_lease_ran_out_is_gone() throws IOException {
        lua.acquire("a");
        lua.redis().command("DEL", LOCK);
        assertThat(lua.acquire("a")).isEqualTo("GONE");
    }

    @Test
    void fe3_tokens_grow_when_the_clock_is_behind_the_counter() throws IOException {
        long ahead = lua.micros() + 3_600_000_000L;
        lua.redis().command("SET", LOCK + ":t", "1|" + ahead + "|z");
        assertThat(ScriptClient.granted(lua.acquire("a"))).isEqualTo(ahead + 1);
        assertThat(lua.ttl(LOCK + ":t")).isGreaterThan(3_600_000L + LEASE);
        lua.release("a", false);
        assertThat(ScriptClient.granted(lua.acquire("b"))).isEqualTo(ahead + 2);
    }

    @Test
    void fe3_tokens_grow_when_the_server_forgot_everything() throws IOException {
        long first = ScriptClient.granted(lua.acquire("a"));
        lua.redis().command("FLUSHALL");
        assertThat(ScriptClient.granted(lua.acquire("a"))).isGreaterThan(first);
    }

    @Test
    void tokens_keep_all_their_digits() throws IOException {
        lua.redis().command("SET", LOCK + ":t", "1|9007199254739998|z");
        assertThat(ScriptClient.granted(lua.acquire("a"))).isEqualTo(9007199254739999L);
        assertThat(ScriptClient.granted(lua.acquire("a"))).isEqualTo(9007199254739999L);
    }

    @Test
    void renewal_tells_owner_stranger_and_foreign_key_apart() throws IOException {
        lua.take("a", 5_000, true, "", "");
        lua.redis().command("SET", "hasp:{foreign}", "2|a|something newer");
        lua.redis().command("RPUSH", "hasp:{list}", "x");
        List<String> keys = List.of(
                LOCK, LOCK + ":t", LOCK, LOCK + ":t", "hasp:{foreign}", "f:t", "hasp:{list}", "l:t", "none", "none:t");
        List<String> arguments = List.of("a", "30000", "b", "30000", "a", "30000", "a", "30000", "a", "30000");
        assertThat(lua.run(LockScript.RENEW, keys, arguments)).isEqualTo("10!!0");
        assertThat(lua.ttl(LOCK)).isGreaterThan(LEASE - 5_000);
        assertThat(lua.ttl(LOCK + ":t")).isGreaterThan(LEASE + 55_000);
        lua.run(LockScript.RENEW, List.of(LOCK, LOCK + ":t"), List.of("a", "1000"));
        assertThat(lua.ttl(LOCK)).isGreaterThan(LEASE - 5_000);
    }

    @Test
    void fe7_a_renewal_keeps_the_counter_for_as_long_as_a_raised_floor_needs_it() throws IOException {
        ScriptClient.granted(lua.acquire("a"));
        long floor = lua.micros() + 3_600_000_000L;
        lua.run(LockScript.RAISE, ScriptClient.keys(LOCK, ""), List.of(Long.toString(floor)));
        assertThat(renew("a", LEASE)).isEqualTo("1");
        assertThat(lua.ttl(LOCK + ":t")).isGreaterThan(3_600_000L);
        ScriptClient.granted(lua.take("a", LEASE, true, "", ""));
        assertThat(lua.ttl(LOCK + ":t")).isGreaterThan(3_600_000L);
        lua.release("a", false);
        assertThat(ScriptClient.granted(lua.acquire("b"))).isGreaterThan(floor);
    }

    @Test
    void the_counter_outlives_a_lock_that_was_extended_and_then_renewed_for_less() throws IOException {
        ScriptClient.granted(lua.acquire("a"));
        assertThat(renew("a", 3_600_000)).isEqualTo("1");
        assertThat(renew("a", 50)).isEqualTo("1");
        assertThat(lua.ttl(LOCK + ":t")).isGreaterThan(3_600_000L);
        ScriptClient.granted(lua.take("a", 50, true, "", ""));
        assertThat(lua.ttl(LOCK + ":t")).isGreaterThan(3_600_000L);
    }

    @Test
    void a_renewal_leaves_a_foreign_key_alone_that_stands_where_the_counter_was() throws IOException {
        for (List<String> foreign :
                List.of(List.of("SET", LOCK + ":t", "someone's value"), List.of("HSET", LOCK + ":t", "f", "v"))) {
            lua.redis().command("FLUSHALL");
            ScriptClient.granted(lua.acquire("a"));
            lua.redis().command("DEL", LOCK + ":t");
            lua.redis().command(foreign.toArray(String[]::new));
            assertThat(renew("a", 2 * LEASE)).isEqualTo("1");
            assertThat(lua.ttl(LOCK)).isGreaterThan(LEASE);
            assertThat(lua.ttl(LOCK + ":t")).as("%s never expires", foreign).isEqualTo(-1);
        }
    }

    private String renew(String holder, long lease) throws IOException {
        return lua.run(LockScript.RENEW, List.of(LOCK, LOCK + ":t"), List.of(holder, Long.toString(lease)));
    }
}
