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
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Refusals of the scripts of shares before anything is written, and operations that go on although a key was overwritten. */
class SharedRefusalScriptsTest extends ScriptFixture {
    private SharedClient five;

    @BeforeEach
    void open() {
        five = new SharedClient(lua, 5);
    }

    @Test
    void the_largest_token_is_refused_before_anything_is_written() throws IOException {
        lua.command("SET", COUNTER, "1|9007199254740001|z");
        foreign(() -> five.acquire("a", 1), COUNTER);
        assertThat(lua.existing(LOCK)).isZero();
    }

    @Test
    void fa10_out_of_memory_refuses_acquires_but_not_release_renewal_and_direct_grant() throws IOException {
        five.granted("a", 3);
        five.granted("b", 2);
        five.refused("c", 1);
        five.refused("d", 2);
        five.refused("e", 5);
        lua.command("CONFIG", "SET", "maxmemory", "1");
        String before = lua.dump();
        for (String holder : List.of("new", "e")) {
            assertThatThrownBy(() -> five.acquire(holder, 1))
                    .isInstanceOf(RespError.class)
                    .hasMessageContaining("OOM");
        }
        assertThat(lua.dump()).isEqualTo(before);
        assertThat(five.renew("a", 3, 2 * LEASE)).isEqualTo("1");
        assertThat(five.renew("a", 2, 2 * LEASE)).isEqualTo("1");
        assertThat(five.held("c").mark()).isEqualTo('C');
        five.granted("c", 1);
        assertThat(five.release("b")).isEqualTo("RELEASED");
        assertThat(five.held("d").mark()).isEqualTo('C');
        assertThat(five.release("d", true)).isEqualTo("RELEASED");
        assertThat(five.release("never-seen", true)).isEqualTo("NOT_HELD");
        assertThat(five.release("e", true)).isEqualTo("NOT_HELD");
        assertThat(five.release("a")).isEqualTo("RELEASED");
        assertThat(five.release("c")).isEqualTo("RELEASED");
        assertThat(lua.existing(LOCK, QUEUE, WAITERS)).isZero();
        assertThatThrownBy(() -> five.acquire("f", 1))
                .isInstanceOf(RespError.class)
                .hasMessageContaining("OOM");
    }

    @Test
    void a_foreign_key_is_refused_by_every_command_and_left_alone() throws IOException {
        List<List<String>> foreignKeys = List.of(
                List.of("HSET", LOCK, ".", "3|5|0|0|0"),
                List.of("HSET", LOCK, "someone", "else"),
                List.of("SET", LOCK, "2|a|H|7|from a newer Hasp"),
                List.of("SET", LOCK, "someone's value"),
                List.of("RPUSH", LOCK, "x"),
                List.of("SET", QUEUE, "x"),
                List.of("SET", WAITERS, "x"));
        for (List<String> foreign : foreignKeys) {
            lua.clear();
            lua.command(foreign.toArray(String[]::new));
            String before = lua.dump();
            foreign(() -> five.acquire("a", 1), foreign.get(1));
            foreign(() -> five.tryOnce("a", 1), foreign.get(1));
            foreign(() -> five.release("a", true), foreign.get(1));
            assertThat(lua.dump()).as("%s", foreign).isEqualTo(before);
        }
    }

    @Test
    void a_foreign_counter_is_refused_by_the_first_acquire_and_left_alone() throws IOException {
        for (List<String> foreign :
                List.of(List.of("SET", COUNTER, "someone's value"), List.of("RPUSH", COUNTER, "another type"))) {
            lua.clear();
            lua.command(foreign.toArray(String[]::new));
            String before = lua.dump();
            foreign(() -> five.acquire("a", 1), COUNTER);
            foreign(() -> five.tryOnce("a", 1), COUNTER);
            assertThat(lua.dump()).as("%s", foreign).isEqualTo(before);
        }
    }

    @Test
    void a_record_that_is_none_is_refused_and_left_alone() throws IOException {
        five.granted("b", 1);
        lua.command("HSET", LOCK, "a", "x");
        String before = lua.dump();
        foreign(() -> five.acquire("a", 1), LOCK);
        foreign(() -> five.release("a"), LOCK);
        assertThat(five.renew("a", 1, LEASE)).isEqualTo("!");
        assertThat(lua.dump()).isEqualTo(before);
    }

    @Test
    void a_share_whose_counter_was_overwritten_is_still_renewed_lowered_and_released() throws IOException {
        for (List<String> overwrite :
                List.of(List.of("SET", COUNTER, "someone's value"), List.of("HSET", COUNTER, "another", "type"))) {
            lua.clear();
            five.granted("a", 5);
            five.refused("b", 1);
            five.refused("c", 1);
            lua.command("DEL", COUNTER);
            lua.command(overwrite.toArray(String[]::new));
            assertThat(five.release("c")).isEqualTo("NOT_HELD");
            assertThat(five.renew("a", 2, LEASE)).isEqualTo("1");
            assertThat(five.stored().used()).isEqualTo(2);
            assertThat(lua.queue()).isEqualTo(List.of("b"));
            foreign(() -> five.acquire("d", 1), COUNTER);
            assertThat(five.release("a", true)).isEqualTo("RELEASED");
            assertThat(five.record("a")).isNull();
            assertThat(lua.queue()).isEqualTo(List.of("b"));
            foreign(() -> five.acquire("b", 1), COUNTER);
            assertThat(lua.ttl(COUNTER)).as("%s never expires", overwrite).isEqualTo(-1);
            lua.command("DEL", COUNTER);
            five.granted("b", 1);
        }
    }

    @Test
    void a_share_whose_queue_or_waiters_were_overwritten_is_still_renewed_lowered_and_released() throws IOException {
        for (String key : List.of(QUEUE, WAITERS)) {
            lua.clear();
            five.granted("a", 5);
            five.refused("b", 1);
            lua.command("DEL", key);
            lua.command("SET", key, "someone's value");
            assertThat(five.renew("a", 2, LEASE)).isEqualTo("1");
            assertThat(five.stored().used()).isEqualTo(2);
            assertThat(five.release("a", true)).as(key).isEqualTo("RELEASED");
            assertThat(five.record("a")).isNull();
            assertThat(lua.existing(ScriptClient.tombstone("a"))).isEqualTo(1);
            foreign(() -> five.acquire("b", 1), key);
            foreign(() -> five.tryOnce("c", 1), key);
            foreign(() -> five.release("b"), key);
            assertThat(lua.text("GET", key)).isEqualTo("someone's value");
        }
    }

    private static void foreign(ThrowingCallable call, String key) {
        assertThatThrownBy(call)
                .isInstanceOf(RespError.class)
                .hasMessageMatching("(FOREIGN|WRONGTYPE) " + Pattern.quote(key) + " .*");
    }
}
