package io.hasp.conformance.history;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One event, as the client saw it. Immutable; one line of text in a file.
 *
 * @param at the time, on {@link System#nanoTime}
 * @param kind the kind
 * @param client a thread that takes one lock at a time, written {@code process} or {@code process/thread}; for a fault,
 *     its target
 * @param attempt the number of this client's acquisition; 0 for none
 * @param lock the lock's name; empty for none
 * @param value the kind's number, see {@link Kind}; 0 for none
 * @param note a word for the reader of a timeline; may be empty
 */
public record Event(long at, Kind kind, String client, long attempt, String lock, long value, String note) {
    /** The note of a fault that is recorded as moments: it begins. */
    public static final String BEGINS = "begins";

    /** The note of a fault that is recorded as moments: all of it has begun. */
    public static final String LASTS = "lasts";

    /** The note of a fault that is recorded as moments: it ends. */
    public static final String ENDS = "ends";

    /** Before the token of a reduced hold, in the note of its rest. */
    static final String REST = "the rest of the grant with token ";

    private static final String TAB = "\t";
    private static final int FIELDS = 7;

    /** The kinds of events. */
    public enum Kind {
        /**
         * The client calls acquire; the value is the {@link io.hasp.conformance.LockMode#number} of the requested mode.
         */
        ACQUIRE("asks"),
        /** The call returned with the lock; the value is the fencing token, 0 for none. */
        GRANTED("has it"),
        /** The call returned without the lock: the client certainly does not hold it. */
        REFUSED("is refused"),
        /** The call failed, and the client may or may not hold the lock on the server. */
        UNKNOWN("can't know whether it has it"),
        /** The client learned its deadline; the value is the deadline on the same clock. */
        DEADLINE("may believe for a known time"),
        /**
         * The client found that it lost the lock; the value is the last moment at which it was seen to consider the
         * lock held.
         */
        LOST("finds it lost"),
        /** The client calls release. */
        RELEASE("releases"),
        /** The call returned: released. */
        RELEASED("has released"),
        /** The call returned: this client did not hold it, or no longer. */
        NOT_HELD("is told that it did not hold it"),
        /** The call failed; the lock may or may not be free. */
        RELEASE_UNKNOWN("can't know whether it released"),
        /** While it held the lock, the client read a counter; the value is what it read. */
        READ("reads"),
        /** While it held the lock, the client read a counter, added one and wrote it; the value is what it wrote. */
        COUNTED("counts"),
        /** The counter after the end of all clients; the value is the number. */
        TOTAL("final count"),
        /**
         * An operator is about to break a grant, or may have broken it; the value is the token of the first lease under
         * the grant.
         */
        BREAKING("is being broken"),
        /** The grant was broken; the value is as for {@link #BREAKING}. */
        BROKEN("is broken"),
        /** The process of the client ended without warning. */
        DIED("dies"),
        /** A fault begins. */
        FAULT("is struck"),
        /** A fault ends. */
        HEALED("is healed");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    boolean isOf(Event other) {
        return attempt == other.attempt && client.equals(other.client);
    }

    /** Returns true if the name is this process, or one of its threads. */
    static boolean belongs(String client, String process) {
        return client.equals(process) || client.startsWith(process + "/");
    }

    String line() {
        return String.join(
                TAB,
                Long.toString(at),
                kind.name(),
                encode(client),
                Long.toString(attempt),
                encode(lock),
                Long.toString(value),
                encode(note));
    }

    static Event parse(String line) {
        List<String> fields = List.of(line.split(TAB, -1));
        if (fields.size() != FIELDS) {
            throw new IllegalArgumentException("not an event: " + line);
        }
        return new Event(
                Long.parseLong(fields.get(0)),
                Kind.valueOf(fields.get(1)),
                decode(fields.get(2)),
                Long.parseLong(fields.get(3)),
                decode(fields.get(4)),
                Long.parseLong(fields.get(5)),
                decode(fields.get(6)));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
