package io.hasp.redis.inspect;

import io.hasp.redis.script.LockKeys;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockName;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A reply of {@code inspect/names.lua}. Immutable.
 *
 * @param names in no order
 * @param queued the names of which the page has the queue only: the key of the lock itself may be on another page
 * @param next the place behind them
 */
public record NamesPage(List<LockName> names, Set<LockName> queued, ListCursor next) {
    private static final String MOVED_ON = "MOVED_ON";
    private static final String QUEUED = "}";

    /** Returns the arguments that ask for a page. */
    public static List<String> request(LockKeys keys, String prefix, ListCursor from) {
        return List.of(
                keys.matching(prefix),
                from.scan(),
                from.data(),
                from.began(),
                Integer.toString(keys.beforeName().length()));
    }

    /** Reads a reply; fails with {@link BackendFailure} if the server is not the one of the former page. */
    public static NamesPage parse(String reply, String server) {
        if (reply.equals(MOVED_ON)) {
            throw anotherServer(server);
        }
        String[] parts = reply.split("\\{", -1);
        String[] place = parts[0].split("\\|", -1);
        List<LockName> names = new ArrayList<>();
        Set<LockName> queued = new HashSet<>();
        for (int i = 1; i < parts.length; i++) {
            boolean queue = parts[i].endsWith(QUEUED);
            Optional<LockName> name = LockKeys.name(queue ? parts[i].substring(0, parts[i].length() - 1) : parts[i]);
            name.ifPresent(names::add);
            name.filter(found -> queue).ifPresent(queued::add);
        }
        return new NamesPage(names, queued, new ListCursor(server, place[0], place[1], place[2]));
    }

    /**
     * Returns true if a lock is on another page for certain: only its queue is on this one, and a holder has had the lock since before the
     * list began. So its key was there all the time, and {@code SCAN} finds it.
     */
    public boolean isElsewhere(LockName name, List<Inspector.Holder> holders) {
        Instant began = Instant.EPOCH.plus(Long.parseLong(next.began()), ChronoUnit.MICROS);
        return queued.contains(name)
                && holders.stream()
                        .anyMatch(
                                holder -> holder.since().filter(began::isAfter).isPresent());
    }

    static BackendFailure anotherServer(String server) {
        return new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE,
                BackendFailure.Outcome.NOT_APPLIED,
                server + " was restarted or replaced since the list began: list the locks from the beginning",
                null);
    }
}
