package io.hasp.redis.script;

import java.time.Duration;
import java.util.OptionalLong;

/** A reply of {@code acquire.lua} or {@code transfer.lua} to a request for the lock. */
public sealed interface LockReply {
    /**
     * The holder has the lock.
     *
     * @param unmarked whether the holder asked for a mark, and the lock has none
     */
    record Granted(long token, boolean unmarked) implements LockReply {}

    /**
     * Another holder has it.
     *
     * @param ticket the place in the queue; empty if there is none
     * @param untilPoll the longest time until the next request
     * @param newestToken the lock's newest token; empty if the script does not report it
     * @param recalled whether the lock is marked, and its client received a recall
     * @param deaf whether the server has no listener on the waiter's channel
     */
    record Busy(String ticket, Duration untilPoll, OptionalLong newestToken, boolean recalled, boolean deaf)
            implements LockReply {}

    /** The holder has been released, so it can't have the lock any more. */
    record Gone() implements LockReply {}

    /** Reads the fields, which bars separate. The most common reply is read without taking it apart. */
    static LockReply parse(String reply) {
        int bar = reply.indexOf('|');
        if (reply.startsWith("GRANTED") && reply.lastIndexOf('|') == bar) {
            return new Granted(Long.parseLong(reply, bar + 1, reply.length(), 10), false);
        }
        String[] fields = reply.split("\\|", -1);
        return switch (fields[0]) {
            case "GRANTED" -> new Granted(Long.parseLong(fields[1]), fields.length > 2);
            case "BUSY" ->
                new Busy(
                        fields[1],
                        Duration.ofMillis(Long.parseLong(fields[2])),
                        fields.length > 3 && !fields[3].isEmpty()
                                ? OptionalLong.of(Long.parseLong(fields[3]))
                                : OptionalLong.empty(),
                        fields.length > 4 && fields[4].contains("^"),
                        fields.length > 4 && fields[4].contains("~"));
            default -> new Gone();
        };
    }
}
