package io.hasp.redis.script;

import static io.hasp.redis.script.ScriptClient.LEASE;
import static io.hasp.redis.script.ScriptClient.LOCK;
import static io.hasp.redis.script.ScriptClient.tokenOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Calls the scripts of shares on the lock {@link ScriptClient#LOCK}, which has one capacity, and reads its hash. */
final class SharedClient {
    private final ScriptClient lua;
    final int capacity;

    SharedClient(ScriptClient lua, int capacity) {
        this.lua = lua;
        this.capacity = capacity;
    }

    /** Requests a share, or a place in the queue. */
    String acquire(String holder, int weight) throws IOException {
        return take(holder, weight, LEASE, true, "", "");
    }

    String acquire(String holder, int weight, long lease) throws IOException {
        return take(holder, weight, lease, true, "", "");
    }

    /** Requests a share without queueing. */
    String tryOnce(String holder, int weight) throws IOException {
        return take(holder, weight, LEASE, false, "", "");
    }

    String take(String holder, int weight, long lease, boolean queue, String channel, String ticket)
            throws IOException {
        List<String> request = new ArrayList<>(ScriptClient.request(holder, lease, queue, channel, ""));
        request.addAll(List.of(Integer.toString(weight), Integer.toString(capacity)));
        if (!ticket.isEmpty()) {
            request.add(ticket);
        }
        return lua.run(LockScript.SHARED_ACQUIRE, ScriptClient.keys(LOCK, holder), request);
    }

    /** Requests a share, which must be granted. Returns the token. */
    long granted(String holder, int weight) throws IOException {
        return tokenOf(acquire(holder, weight));
    }

    /** Requests a share, which must be refused. Returns ticket, milliseconds until the next poll, and newest token. */
    List<Long> refused(String holder, int weight) throws IOException {
        String reply = acquire(holder, weight);
        assertThat(reply).startsWith("BUSY|");
        String[] fields = reply.split("\\|");
        return List.of(Long.parseLong(fields[1]), Long.parseLong(fields[2]), Long.parseLong(fields[3]));
    }

    String release(String holder) throws IOException {
        return release(holder, false);
    }

    String release(String holder, boolean tombstone) throws IOException {
        return lua.run(
                LockScript.SHARED_RELEASE, ScriptClient.keys(LOCK, holder), List.of(holder, tombstone ? "1" : "0"));
    }

    String renew(String holder, int weight, long lease) throws IOException {
        return lua.run(
                LockScript.SHARED_RENEW,
                LockKeys.renewedShare(LOCK),
                List.of(holder, Long.toString(lease), Integer.toString(weight)));
    }

    /** The stored record of a holder, null for none. */
    @Nullable
    Holding record(String holder) throws IOException {
        String stored = lua.text("HGET", LOCK, holder);
        return stored == null ? null : Holding.parse(stored);
    }

    /** The record of a holder that must have one. */
    Holding held(String holder) throws IOException {
        return Objects.requireNonNull(record(holder), () -> holder + " has no record");
    }

    /** The stored head of the lock, null for none. */
    @Nullable
    Head head() throws IOException {
        String stored = lua.text("HGET", LOCK, ".");
        return stored == null ? null : Head.parse(stored);
    }

    /** The head of a lock that must exist. */
    Head stored() throws IOException {
        return Objects.requireNonNull(head(), "the lock is not there");
    }

    /** Lets a holder's lease be over, as if the time had passed. */
    void end(String holder) throws IOException {
        Holding record = held(holder);
        Head head = stored();
        lua.command(
                "HSET",
                LOCK,
                holder,
                record.endingAt(1).text(),
                ".",
                head.soonest(1).text());
    }

    /** Lets a waiter have stopped to ask, as if the time had passed. */
    void silence(String waiter) throws IOException {
        String entry = Objects.requireNonNull(lua.text("HGET", ScriptClient.WAITERS, waiter));
        lua.command("HSET", ScriptClient.WAITERS, waiter, "1" + entry.substring(entry.indexOf('|')));
    }

    /** The field of a holder. */
    record Holding(long ends, char mark, int weight, long token, String meta) {
        static Holding parse(String stored) {
            String[] fields = stored.split("\\|", -1);
            assertThat(fields).as(stored).hasSize(5);
            assertThat(fields[1]).as(stored).matches("[CH]");
            return new Holding(
                    Long.parseLong(fields[0]),
                    fields[1].charAt(0),
                    Integer.parseInt(fields[2]),
                    Long.parseLong(fields[3]),
                    fields[4]);
        }

        Holding endingAt(long time) {
            return new Holding(time, mark, weight, token, meta);
        }

        String text() {
            return ends + "|" + mark + "|" + weight + "|" + token + "|" + meta;
        }
    }

    /** The field of the lock. */
    record Head(int capacity, int used, long soonest, long till) {
        static Head parse(String stored) {
            String[] fields = stored.split("\\|", -1);
            assertThat(fields).as(stored).hasSize(5).startsWith("2");
            return new Head(
                    Integer.parseInt(fields[1]),
                    Integer.parseInt(fields[2]),
                    Long.parseLong(fields[3]),
                    Long.parseLong(fields[4]));
        }

        Head soonest(long time) {
            return new Head(capacity, used, time, till);
        }

        String text() {
            return "2|" + capacity + "|" + used + "|" + soonest + "|" + till;
        }
    }
}
