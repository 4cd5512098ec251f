package io.hasp.redis.script;

import static io.hasp.redis.script.ScriptClient.COUNTER;
import static io.hasp.redis.script.ScriptClient.LOCK;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random commands on one lock. After each command, its keys keep the invariants. */
class ScriptInvariantsTest {
    private static final int COMMANDS = 400;
    private static final List<String> HOLDERS = List.of("a", "b", "c", "d");
    private static final List<Long> LEASES = List.of(50L, 1_000L, 30_000L, 3_600_000L);
    private static final long MEMORY_MILLIS = 60_000;
    /** The keys and the clock are read one after the other. */
    private static final long READING_MILLIS = 2_000;

    /** The largest token or floor so far. */
    private long newest;

    /** Of the latest grant that was seen; the lock may have been handed to a waiter since. */
    private long granted;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void fe7_tokens_rise_and_the_counter_outlives_the_lock_and_a_token_ahead_of_the_clock(long seed)
            throws IOException {
        try (RedisServer server = RedisServer.start();
                ScriptClient lua = new ScriptClient(server)) {
            SplittableRandom choices = new SplittableRandom(seed);
            for (int i = 0; i < COMMANDS; i++) {
                String done = step(lua, choices);
                check(lua, "command " + i + " of seed " + seed + ", " + done);
            }
        }
    }

    private String step(ScriptClient lua, SplittableRandom choices) throws IOException {
        String holder = HOLDERS.get(choices.nextInt(HOLDERS.size()));
        long lease = LEASES.get(choices.nextInt(LEASES.size()));
        return switch (choices.nextInt(6)) {
            case 0 -> "acquire: " + lua.take(holder, lease, choices.nextBoolean(), "", "");
            case 1 -> {
                String next = HOLDERS.get(choices.nextInt(HOLDERS.size()));
                yield "transfer: " + lua.transfer(holder, next);
            }
            case 2 -> "release: " + lua.release(holder, choices.nextInt(8) == 0);
            case 3 -> raise(lua, choices.nextLong(-60_000_000, 7_200_000_000L), choices.nextInt(8) == 0);
            default -> "renewal for " + lease + " ms: " + lua.renew(holder, lease);
        };
    }

    private String raise(ScriptClient lua, long ahead, boolean wanted) throws IOException {
        if (!wanted) {
            return "nothing";
        }
        long floor = lua.micros() + ahead;
        newest = Math.max(newest, floor);
        return "floor " + floor + ": " + lua.raise(floor);
    }

    private void check(ScriptClient lua, String after) throws IOException {
        String value = lua.value();
        long token = value == null ? granted : Long.parseLong(value.split("\\|")[3]);
        if (token != granted) {
            assertThat(token).as(after).isGreaterThan(newest);
            granted = token;
            newest = token;
        }
        long lock = lua.ttl(LOCK);
        long ahead = (newest - lua.micros()) / 1_000;
        long counter = lua.ttl(COUNTER);
        if (lock > 0) {
            assertThat(counter).as(after).isGreaterThan(lock + MEMORY_MILLIS - READING_MILLIS);
        }
        if (ahead > 0) {
            assertThat(counter).as(after).isGreaterThan(ahead - READING_MILLIS);
        }
    }
}
