package io.hasp.redis.script;

import static io.hasp.redis.script.ScriptClient.LOCK;
import static io.hasp.redis.script.ScriptClient.WAITERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.redis.script.SharedModel.Answer;
import io.hasp.spi.Share;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Gives random commands to the scripts of shares and to {@link SharedModel}, and compares. A seed repeats it. */
final class SharedModelRun {
    private static final int NAMES = 8;
    private static final long HOUR = 3_600_000;
    private static final long LATE = 9_000_000_000_000L;

    private final Map<String, Long> tickets = new HashMap<>();
    private final Map<String, Long> tokens = new HashMap<>();
    private final String[] names = new String[NAMES];
    private int named;
    private long newest;
    private final ScriptClient lua;
    private final SplittableRandom choices;
    private final SharedModel model;
    private final SharedClient shares;

    SharedModelRun(ScriptClient lua, long seed) {
        this.lua = lua;
        int capacity = seed % 2 == 0 ? Share.READ_WRITE : 5;
        choices = new SplittableRandom(seed);
        model = new SharedModel(capacity);
        shares = new SharedClient(lua, capacity);
        for (int i = 0; i < NAMES; i++) {
            rename(i);
        }
    }

    /** Releases all holders and waiters. */
    void releaseAll() throws IOException {
        for (String name : names) {
            model.release(name, false);
            shares.release(name);
        }
    }

    private void rename(int slot) {
        names[slot] = "h" + named++;
    }

    /** Gives one command; returns it and its answer in words. */
    String step() throws IOException {
        int slot = choices.nextInt(NAMES);
        String name = names[slot];
        return switch (choices.nextInt(12)) {
            case 0, 1, 2, 3, 4 -> acquire(name, weight(name), choices.nextInt(4) > 0);
            case 5, 6, 7 -> release(slot, name, choices.nextBoolean());
            case 8, 9 -> renew(name, choices.nextBoolean() ? weight(name) : 1 + choices.nextInt(5));
            case 10 -> end(name);
            default -> silence(name);
        };
    }

    /** The same for all requests of a name. */
    private int weight(String name) {
        int chosen = Math.floorMod(name.hashCode() * 31, 5) + 1;
        return shares.capacity != Share.READ_WRITE ? chosen : chosen > 3 ? Share.READ_WRITE : 1;
    }

    private String acquire(String name, int weight, boolean queue) throws IOException {
        Answer expected = model.acquire(name, weight);
        String ticket = tickets.containsKey(name) ? Long.toString(tickets.get(name)) : "";
        String reply = shares.take(name, weight, HOUR, queue, "", ticket);
        String done = "acquire of " + weight + " for " + name + ": " + reply;
        String[] fields = reply.split("\\|");
        switch (expected) {
            case GONE -> assertThat(reply).as(done).isEqualTo("GONE");
            case CONFIRMED -> assertThat(reply).as(done).isEqualTo("GRANTED|" + tokens.get(name));
            case GRANTED -> assertThat(fields[0]).as(done).isEqualTo("GRANTED");
            case BUSY -> assertThat(fields[0]).as(done).isEqualTo("BUSY");
        }
        readTokens(done);
        if (expected == Answer.GRANTED) {
            assertThat(tokens.get(name)).as(done).isEqualTo(Long.parseLong(fields[1]));
        }
        if (expected == Answer.BUSY && queue) {
            assertThat(Long.parseLong(fields[3])).as(done).isEqualTo(newest);
            tickets.put(name, Long.parseLong(fields[1]));
            model.enter(Long.parseLong(fields[1]), name, weight);
        } else if (expected == Answer.BUSY) {
            assertThat(reply).as(done).isEqualTo("BUSY||500");
        }
        return done;
    }

    private String release(int slot, String name, boolean bury) throws IOException {
        String expected = model.release(name, bury) ? "RELEASED" : "NOT_HELD";
        String reply = shares.release(name, bury);
        assertThat(reply).as("release of %s", name).isEqualTo(expected);
        readTokens("release of " + name);
        // Some requests come late.
        if (choices.nextInt(4) > 0) {
            rename(slot);
        }
        return "release of " + name + (bury ? " for good: " : ": ") + reply;
    }

    private String renew(String name, int weight) throws IOException {
        String expected = model.renew(name, weight) ? "1" : "0";
        assertThat(shares.renew(name, weight, HOUR)).as("renewal of %s", name).isEqualTo(expected);
        readTokens("renewal of " + name);
        return "renewal of " + name + " with " + weight + ": " + expected;
    }

    private String end(String name) throws IOException {
        if (shares.record(name) != null) {
            model.end(name);
            shares.end(name);
        }
        return "end of " + name;
    }

    private String silence(String name) throws IOException {
        if (lua.text("HGET", WAITERS, name) != null) {
            model.silence(name);
            shares.silence(name);
        }
        return "silence of " + name;
    }

    /** Those who were served have tokens in this order, above all others. */
    private void readTokens(String done) throws IOException {
        for (String name : model.served) {
            long token = shares.held(name).token();
            assertThat(token).as("token of %s after %s", name, done).isGreaterThan(newest);
            newest = token;
            tokens.put(name, token);
        }
    }

    /** Compares the stored data with the model. */
    void check(String after) throws IOException {
        stopTime();
        Set<String> alive = new HashSet<>();
        int stored = 0;
        List<?> fields = (List<?>) Objects.requireNonNull(lua.command("HGETALL", LOCK));
        for (int i = 0; i < fields.size(); i += 2) {
            String name = (String) fields.get(i);
            if (!name.equals(".")) {
                SharedClient.Holding record = SharedClient.Holding.parse((String) fields.get(i + 1));
                stored += record.weight();
                if (record.ends() > 1) {
                    alive.add(name);
                    assertThat(record.weight()).as(after).isEqualTo(model.holders.get(name));
                    assertThat(record.token()).as(after).isEqualTo(tokens.get(name));
                }
            }
        }
        SharedClient.@Nullable Head head = shares.head();
        assertThat(alive).as(after).isEqualTo(model.holders.keySet());
        assertThat(model.used()).as(after).isLessThanOrEqualTo(shares.capacity);
        assertThat(head == null ? 0 : head.used()).as(after).isEqualTo(stored);
        assertThat(lua.queue())
                .as(after)
                .isEqualTo(model.queue.values().stream()
                        .map(SharedModel.Waiter::name)
                        .toList());
    }

    /** Claims, entries and keys would end after a second or some. */
    private void stopTime() throws IOException {
        for (String name : model.holders.keySet()) {
            SharedClient.@Nullable Holding record = shares.record(name);
            if (record != null && record.mark() == 'C') {
                lua.command("HSET", LOCK, name, record.endingAt(LATE).text());
            }
        }
        for (SharedModel.Waiter waiter : model.queue.values()) {
            if (waiter.alive()) {
                lua.command("HSET", WAITERS, waiter.name(), LATE + "|" + waiter.weight() + "||meta");
            }
        }
        for (String key : List.of(LOCK, ScriptClient.QUEUE, WAITERS)) {
            lua.command("PERSIST", key);
        }
    }
}
