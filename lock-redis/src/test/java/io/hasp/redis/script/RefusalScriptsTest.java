package io.hasp.redis.script;

import static io.hasp.redis.script.ScriptClient.COUNTER;
import static io.hasp.redis.script.ScriptClient.LEASE;
import static io.hasp.redis.script.ScriptClient.LOCK;
import static io.hasp.redis.script.ScriptClient.QUEUE;
import static io.hasp.redis.script.ScriptClient.WAITERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.conformance.servers.RespError;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The requests that the scripts refuse, before they write anything. */
class RefusalScriptsTest extends ScriptFixture {
    @Test
    void the_largest_token_is_refused_before_anything_is_written() throws IOException {
        lua.command("SET", COUNTER, "1|9007199254740001|z");
        assertThatThrownBy(() -> lua.acquire("a")).isInstanceOf(RespError.class).hasMessageContaining("FOREIGN");
        assertThat(lua.existing(LOCK)).isZero();
    }

    @Test
    void fa10_out_of_memory_refuses_acquires_but_not_release_renewal_and_direct_grant() throws IOException {
        lua.acquire("a");
        lua.acquire("b");
        lua.command("CONFIG", "SET", "maxmemory", "1");
        assertThatThrownBy(() -> lua.run(
                        LockScript.ACQUIRE,
                        ScriptClient.keys("hasp:{other}", "c"),
                        ScriptClient.request("c", LEASE, true, "", "")))
                .isInstanceOf(RespError.class)
                .hasMessageContaining("OOM");
        assertThatThrownBy(() -> lua.acquire("c")).isInstanceOf(RespError.class).hasMessageContaining("OOM");
        assertThat(lua.renew("a", 60_000)).isEqualTo("1");
        assertThat(lua.release("a")).isEqualTo("RELEASED");
        lua.granted("b");
        assertThat(lua.releaseWithTombstone("b")).isEqualTo("RELEASED");
        assertThat(lua.releaseWithTombstone("never seen")).isEqualTo("NOT_HELD");
        assertThat(lua.existing("hasp:{other}", LOCK, QUEUE)).isZero();
    }

    @Test
    void a_foreign_key_is_refused_by_every_command_and_left_alone() throws IOException {
        List<List<String>> foreignKeys = List.of(
                List.of("SET", LOCK, "2|a|H|7|from a newer Hasp"),
                List.of("SET", LOCK, "someone's value"),
                List.of("RPUSH", LOCK, "x"),
                List.of("SET", COUNTER, "2|7|a"),
                List.of("HSET", COUNTER, "f", "v"),
                List.of("SET", QUEUE, "x"));
        for (List<String> foreign : foreignKeys) {
            lua.clear();
            lua.command(foreign.toArray(String[]::new));
            String before = lua.dump();
            for (Call call : List.<Call>of(
                    () -> lua.acquire("a"), () -> lua.releaseWithTombstone("a"), () -> lua.transfer("a", "b"))) {
                assertThatThrownBy(call::run)
                        .as("%s", foreign)
                        .isInstanceOf(RespError.class)
                        .hasMessageMatching("(FOREIGN|WRONGTYPE) " + Pattern.quote(foreign.get(1)) + " .*");
            }
            assertThat(lua.dump()).as("%s", foreign).isEqualTo(before);
        }
    }

    @Test
    void a_lock_whose_counter_was_overwritten_is_still_released() throws IOException {
        for (List<String> overwrite :
                List.of(List.of("SET", COUNTER, "someone's value"), List.of("HSET", COUNTER, "another", "type"))) {
            lua.clear();
            lua.acquire("a");
            lua.acquire("b");
            lua.acquire("c");
            lua.command("DEL", COUNTER);
            lua.command(overwrite.toArray(String[]::new));
            assertThat(lua.release("c")).isEqualTo("NOT_HELD");
            assertThat(lua.release("a")).isEqualTo("RELEASED");
            assertThat(lua.existing(LOCK)).isZero();
            assertThat(lua.queue()).isEqualTo(List.of("b"));
            assertThatThrownBy(() -> lua.acquire("b"))
                    .isInstanceOf(RespError.class)
                    .hasMessageMatching("(FOREIGN|WRONGTYPE).*");
        }
    }

    @Test
    void a_lock_whose_queue_or_waiters_were_overwritten_is_still_released() throws IOException {
        for (String key : List.of(QUEUE, WAITERS)) {
            lua.clear();
            lua.acquire("a");
            lua.acquire("b");
            lua.command("DEL", key);
            lua.command("SET", key, "someone's value");
            assertThat(lua.releaseWithTombstone("a")).as(key).isEqualTo("RELEASED");
            assertThat(lua.existing(LOCK)).isZero();
            assertThat(lua.existing(ScriptClient.tombstone("a"))).isEqualTo(1);
            for (Call call : List.<Call>of(
                    () -> lua.acquire("b"),
                    () -> lua.tryOnce("c"),
                    () -> lua.release("b"),
                    () -> lua.transfer("a", "c"))) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(RespError.class)
                        .hasMessageStartingWith("WRONGTYPE " + key + " ");
            }
            assertThat(lua.text("GET", key)).isEqualTo("someone's value");
        }
    }

    @Test
    void a_foreign_waiters_key_is_found_before_anything_is_written() throws IOException {
        lua.acquire("a");
        lua.command("SET", WAITERS, "x");
        assertThatThrownBy(() -> lua.acquire("b"))
                .isInstanceOf(RespError.class)
                .hasMessageStartingWith("WRONGTYPE " + WAITERS + " ");
        assertThatThrownBy(() -> lua.transfer("a", "b"))
                .isInstanceOf(RespError.class)
                .hasMessageStartingWith("WRONGTYPE " + WAITERS + " ");
        assertThat(lua.value()).startsWith("1|a|H|");
        assertThat(lua.existing(QUEUE)).isZero();
    }

    @Test
    void the_check_reports_the_role_the_eviction_policy_and_whether_there_is_a_cluster() throws IOException {
        assertThat(lua.run(LockScript.CHECK, List.of("hasp:check"), List.of("hasp:c:1")))
                .matches("master\\|noeviction\\|0\\|[0-9a-f]{40}\\|");
    }

    @FunctionalInterface
    private interface Call {
        String run() throws IOException;
    }
}
