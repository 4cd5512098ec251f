package io.hasp.conformance.history;

import io.hasp.conformance.LockMode;
import io.hasp.conformance.history.Event.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A counter-example as text: its events, marked, with some others between them, in milliseconds since the first event.
 */
final class Timeline {
    private static final int MOST_LINES = 24;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final Set<Kind> TIMED = Set.of(Kind.DEADLINE, Kind.LOST);

    private Timeline() {}

    static String around(List<Event> history, Collection<Event> shown) {
        Set<Event> marked = new HashSet<>(shown);
        long first = marked.stream().mapToLong(Event::at).min().orElse(0);
        long last = marked.stream().mapToLong(Event::at).max().orElse(0);
        List<Event> others = history.stream()
                .filter(event -> event.at() >= first && event.at() <= last && !marked.contains(event))
                // Grants and faults are the most informative; the rest is shown only if there is room.
                .sorted(Comparator.comparingInt(Timeline::dispensable))
                .toList();
        int room = Math.max(0, MOST_LINES - marked.size());
        List<Event> lines = new ArrayList<>(marked);
        lines.addAll(others.subList(0, Math.min(room, others.size())));
        lines.sort(Comparator.comparingLong(Event::at).thenComparing(Event::kind));
        StringBuilder text = new StringBuilder();
        for (Event event : lines) {
            text.append(line(event, marked.contains(event), first)).append('\n');
        }
        if (others.size() > room) {
            text.append("    (").append(others.size() - room).append(" other events between them left out)\n");
        }
        return text.toString();
    }

    private static int dispensable(Event event) {
        return switch (event.kind()) {
            case FAULT, HEALED, DIED -> 0;
            case GRANTED, RELEASE, LOST -> 1;
            default -> 2;
        };
    }

    private static String line(Event event, boolean marked, long zero) {
        String who = event.attempt() == 0 ? event.client() : event.client() + " #" + event.attempt();
        return String.format(
                        Locale.ROOT,
                        "%s %12.3f ms  %-16s %s",
                        marked ? ">" : " ",
                        millis(event.at(), zero),
                        who,
                        what(event, zero))
                .stripTrailing();
    }

    private static String what(Event event, long zero) {
        String words = event.kind().words();
        String note = event.note().isEmpty() ? "" : ": " + event.note();
        if (event.value() == 0) {
            return words + note;
        }
        if (event.kind() == Kind.ACQUIRE) {
            return words + " for " + LockMode.of(event.value()) + note;
        }
        String detail = TIMED.contains(event.kind())
                ? String.format(Locale.ROOT, "(until %.3f ms)", millis(event.value(), zero))
                : (event.kind() == Kind.GRANTED ? "with token " : "to ") + event.value();
        return words + " " + detail + note;
    }

    private static double millis(long at, long zero) {
        return (at - zero) / NANOS_PER_MILLI;
    }
}
