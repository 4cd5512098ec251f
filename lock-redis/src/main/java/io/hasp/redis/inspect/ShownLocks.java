package io.hasp.redis.inspect;

import io.hasp.redis.script.StoredLabel;
import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockName;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reply of {@code inspect/locks.lua} or {@code inspect/redlocks.lua}. Immutable.
 *
 * @param readAt the server's clock
 * @param entries one for each lock that was read, in the order of the request; it may be shorter than the request
 */
public record ShownLocks(Instant readAt, List<Entry> entries) {
    private static final String NONE = "-";

    /** The data of one lock. */
    public sealed interface Entry {}

    /** A lock with neither a holder nor a waiter. */
    public record Free() implements Entry {}

    /** A key that holds something else. */
    public record Foreign(String text) implements Entry {}

    /** A lock in use. Its lists belong to the entry. */
    public record Used(
            int capacity, long newest, int waiting, List<Inspector.Holder> holders, List<Inspector.Waiter> waiters)
            implements Entry {

        Inspector.Content content(LockName name, Instant readAt) {
            return new Inspector.Content(name, capacity, holders, waiters, waiting, newest, readAt, List.of());
        }
    }

    /** Reads a reply. */
    public static ShownLocks parse(String reply) {
        String[] lines = reply.split("\n");
        List<Entry> entries = new ArrayList<>();
        Used last = null;
        for (int i = 1; i < lines.length; i++) {
            String[] fields = lines[i].split("\t", -1);
            switch (fields[0]) {
                case "F" -> entries.add(new Foreign(fields[1]));
                case "N" -> entries.add(new Free());
                case "H" -> used(last).holders().add(holder(fields));
                case "W" -> used(last).waiters().add(waiter(fields));
                default -> {
                    last = new Used(
                            Integer.parseInt(fields[1]),
                            Long.parseLong(fields[2]),
                            Integer.parseInt(fields[3]),
                            new ArrayList<>(),
                            new ArrayList<>());
                    entries.add(last);
                }
            }
        }
        return new ShownLocks(instant(lines[0]), entries);
    }

    private static Used used(@Nullable Used last) {
        if (last == null) {
            throw new IllegalStateException("a holder or a waiter without a lock");
        }
        return last;
    }

    private static Inspector.Holder holder(String[] fields) {
        Inspector.State state = switch (fields[4]) {
            case "K" -> Inspector.State.RECALLABLE;
            case "R" -> Inspector.State.RETAINED;
            default -> Inspector.State.HELD;
        };
        return new Inspector.Holder(
                new HolderId(fields[1]),
                Long.parseLong(fields[2]),
                Integer.parseInt(fields[3]),
                state,
                StoredLabel.read(fields[7]),
                known(fields[5]).map(ShownLocks::instant),
                known(fields[6]).map(left -> Duration.ofMillis(Long.parseLong(left))));
    }

    private static Inspector.Waiter waiter(String[] fields) {
        return new Inspector.Waiter(
                new HolderId(fields[1]),
                Integer.parseInt(fields[2]),
                StoredLabel.read(fields[4]),
                known(fields[3]).map(ShownLocks::instant));
    }

    private static Optional<String> known(String field) {
        return field.equals(NONE) ? Optional.empty() : Optional.of(field);
    }

    private static Instant instant(String micros) {
        return Instant.EPOCH.plus(Long.parseLong(micros), ChronoUnit.MICROS);
    }
}
