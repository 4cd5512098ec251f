package io.hasp.redis.inspect;

import io.hasp.redis.script.LockKeys;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.LockName;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A reply of {@code inspect/names.lua}. Immutable.
 *
 * @param names in no order
 * @param next the place behind them
 */
public record NamesPage(List<LockName> names, ListCursor next) {
    private static final String MOVED_ON = "MOVED_ON";

    /** Returns the arguments that ask for a page. */
    public static List<String> request(LockKeys keys, String prefix, ListCursor from) {
        return List.of(
                keys.matching(prefix),
                from.scan(),
                from.run(),
                Integer.toString(keys.beforeName().length()));
    }

    /** Reads a reply; fails with {@link BackendFailure} if the server is not the one of the former page. */
    public static NamesPage parse(String reply, String server) {
        if (reply.equals(MOVED_ON)) {
            throw anotherServer(server);
        }
        String[] parts = reply.split("\\{", -1);
        int bar = parts[0].indexOf('|');
        ListCursor next = new ListCursor(server, parts[0].substring(0, bar), parts[0].substring(bar + 1));
        List<LockName> names = Stream.of(parts)
                .skip(1)
                .map(LockKeys::name)
                .flatMap(Optional::stream)
                .toList();
        return new NamesPage(names, next);
    }

    static BackendFailure anotherServer(String server) {
        return new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE,
                BackendFailure.Outcome.NOT_APPLIED,
                server + " was restarted or replaced since the list began: list the locks from the beginning",
                null);
    }
}
