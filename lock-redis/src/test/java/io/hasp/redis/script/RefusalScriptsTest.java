package io.hasp.redis.script;

import static io.hasp.redis.script.ScriptClient.LEASE;
import static io.hasp.redis.script.ScriptClient.LOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespError;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the scripts refuse, and that they do so before they write. */
class RefusalScriptsTest {
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
    void the_largest_token_is_refused_before_anything_is_written() throws IOException {
        lua.redis().command("SET", LOCK + ":t", "1|9007199254740001|z");
        assertThatThrownBy(() -> lua.acquire("a")).isInstanceOf(RespError.class).hasMessageContaining("FOREIGN");
        assertThat(lua.redis().integer("EXISTS", LOCK)).isZero();
    }

    @Test
    void fa10_out_of_memory_refuses_acquires_but_not_release_renewal_and_hand_over() throws IOException {
        lua.acquire("a");
        lua.take("b", LEASE, true, "", "");
        lua.redis().command("CONFIG", "SET", "maxmemory", "1");
        assertThatThrownBy(() -> lua.run(
                        LockScript.ACQUIRE,
                        ScriptClient.keys("hasp:{other}", "c"),
                        ScriptClient.request("c", LEASE, true, "", "")))
                .isInstanceOf(RespError.class)
                .hasMessageContaining("OOM");
        assertThatThrownBy(() -> lua.acquire("c")).isInstanceOf(RespError.class).hasMessageContaining("OOM");
        assertThat(lua.run(LockScript.RENEW, List.of(LOCK, LOCK + ":t"), List.of("a", "60000")))
                .isEqualTo("1");
        assertThat(lua.release("a", false)).isEqualTo("RELEASED");
        ScriptClient.granted(lua.acquire("b"));
        assertThat(lua.release("b", true)).isEqualTo("RELEASED");
        assertThat(lua.release("never seen", true)).isEqualTo("NOT_HELD");
        assertThat(lua.redis().integer("EXISTS", "hasp:{other}", LOCK, LOCK + ":q"))
                .isZero();
    }

    @Test
    void what_is_not_ours_is_refused_by_every_command_and_left_alone() throws IOException {
        List<List<String>> strangers = List.of(
                List.of("SET", LOCK, "2|a|H|7|from a newer Hasp"),
                List.of("SET", LOCK, "someone's value"),
                List.of("RPUSH", LOCK, "x"),
                List.of("SET", LOCK + ":t", "2|7|a"),
                List.of("HSET", LOCK + ":t", "f", "v"),
                List.of("SET", LOCK + ":q", "x"));
        for (List<String> stranger : strangers) {
            lua.redis().command("FLUSHALL");
            lua.redis().command(stranger.toArray(String[]::new));
            String before = lua.dump();
            for (ScriptCall call : List.<ScriptCall>of(
                    () -> lua.acquire("a"), () -> lua.release("a", true), () -> lua.transfer("a", "b"))) {
                assertThatThrownBy(call::run)
                        .as("%s", stranger)
                        .isInstanceOf(RespError.class)
                        .hasMessageMatching("(FOREIGN|WRONGTYPE) " + Pattern.quote(stranger.get(1)) + " .*");
            }
            assertThat(lua.dump()).as("%s", stranger).isEqualTo(before);
        }
    }

    @Test
    void a_lock_whose_counter_was_spoilt_is_released_all_the_same() throws IOException {
        for (List<String> spoilt : List.of(
                List.of("SET", LOCK + ":t", "someone's value"), List.of("HSET", LOCK + ":t", "another", "type"))) {
            lua.redis().command("FLUSHALL");
            lua.acquire("a");
            lua.acquire("b");
            lua.acquire("c");
            lua.redis().command("DEL", LOCK + ":t");
            lua.redis().command(spoilt.toArray(String[]::new));
            assertThat(lua.release("c", false)).isEqualTo("NOT_HELD");
            assertThat(lua.release("a", false)).isEqualTo("RELEASED");
            assertThat(lua.redis().integer("EXISTS", LOCK)).isZero();
            assertThat(lua.redis().command("ZRANGE", LOCK + ":q", "0", "-1")).isEqualTo(List.of("b"));
            assertThatThrownBy(() -> lua.acquire("b"))
                    .isInstanceOf(RespError.class)
                    .hasMessageMatching("(FOREIGN|WRONGTYPE).*");
        }
    }

    @Test
    void a_lock_whose_queue_or_waiters_were_spoilt_is_released_all_the_same() throws IOException {
        for (String spoilt : List.of(LOCK + ":q", LOCK + ":w")) {
            lua.redis().command("FLUSHALL");
            lua.acquire("a");
            lua.acquire("b");
            lua.redis().command("DEL", spoilt);
            lua.redis().command("SET", spoilt, "someone's value");
            assertThat(lua.release("a", true)).as(spoilt).isEqualTo("RELEASED");
            assertThat(lua.redis().integer("EXISTS", LOCK)).isZero();
            assertThat(lua.redis().integer("EXISTS", LOCK + ":x:a")).isEqualTo(1);
            for (ScriptCall call : List.<ScriptCall>of(
                    () -> lua.acquire("b"),
                    () -> lua.take("c", LEASE, false, "", ""),
                    () -> lua.release("b", false),
                    () -> lua.transfer("a", "c"))) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(RespError.class)
                        .hasMessageStartingWith("WRONGTYPE " + spoilt + " ");
            }
            assertThat(lua.redis().text("GET", spoilt)).isEqualTo("someone's value");
        }
    }

    @Test
    void a_foreign_waiters_key_is_found_before_anything_is_written() throws IOException {
        lua.acquire("a");
        lua.redis().command("SET", LOCK + ":w", "x");
        assertThatThrownBy(() -> lua.acquire("b"))
                .isInstanceOf(RespError.class)
                .hasMessageStartingWith("WRONGTYPE " + LOCK + ":w ");
        assertThatThrownBy(() -> lua.transfer("a", "b"))
                .isInstanceOf(RespError.class)
                .hasMessageStartingWith("WRONGTYPE " + LOCK + ":w ");
        assertThat(lua.redis().text("GET", LOCK)).startsWith("1|a|H|");
        assertThat(lua.redis().integer("EXISTS", LOCK + ":q")).isZero();
    }

    @Test
    void the_check_reports_the_eviction_policy() throws IOException {
        assertThat(lua.run(LockScript.CHECK, List.of("hasp:check"), List.of("hasp:c:1")))
                .isEqualTo("master|noeviction");
    }

    @FunctionalInterface
    private interface ScriptCall {
        String run() throws IOException;
    }
}
