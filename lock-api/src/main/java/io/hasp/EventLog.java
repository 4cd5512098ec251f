package io.hasp;

import io.hasp.spi.LogQueue;
import io.hasp.spi.StackReserve;
import io.hasp.spi.Timing;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Logs events that come by the thousand when a service fails for all leases of a client. The first event of a kind is a line of its own, at
 * once. All events of the next second share one line, and so do those of each ten seconds after that, until a span without any.
 * Thread-safe; never blocks or throws.
 */
final class EventLog {
    private static final long FIRST_SPAN = TimeUnit.SECONDS.toNanos(1);
    private static final long NEXT_SPAN = TimeUnit.SECONDS.toNanos(10);
    private static final int MOST_NAMED = 5;
    private static final int MOST_REASONS = 3;

    /** Events of many leases in one outage share lines of the log. */
    enum Kind {
        SUSPECT(Level.WARNING, "%d more leases are SUSPECT"),
        CONFIRMED(Level.INFO, "%d more leases are confirmed: HELD again"),
        LOST(Level.WARNING, "lost %d more leases"),
        RELEASE_GIVEN_UP(Level.WARNING, "gave up releasing %d more holders, which end with their leases or sessions"),
        RELEASE_UNCONFIRMED(Level.WARNING, "could not confirm the release of %d more locks"),
        DROPPED(
                Level.WARNING,
                "%d more leases are held, and nobody refers to them, so nobody can release them: they stay locked");

        private final Level level;
        private final String many;

        Kind(Level level, String many) {
            this.level = level;
            this.many = many;
        }
    }

    private final Timing timing;
    private final Map<Kind, Span> spans = new EnumMap<>(Kind.class);

    EventLog(Timing timing) {
        this.timing = timing;
    }

    /**
     * Logs an event.
     *
     * @param alone the line if there is only one event
     * @param subject its name among others
     * @param why the reason; may be empty
     */
    void log(Kind kind, String alone, String subject, String why) {
        @Nullable String single = alone;
        try {
            StackReserve.require();
            long now = timing.nanoTime();
            String before = null;
            Span begun = null;
            synchronized (this) {
                Span span = spans.get(kind);
                if (span != null && now - span.end < 0) {
                    begun = span.add(alone, subject, why) ? span : null;
                    single = null;
                } else {
                    before = span == null ? null : span.line(kind);
                    spans.put(kind, new Span(now + FIRST_SPAN));
                }
            }
            write(kind, before);
            write(kind, single);
            if (begun != null) {
                timing.schedule(Duration.ofNanos(begun.end - now), () -> end(kind));
            }
        } catch (Throwable broken) {
            // No clock, timer, memory or stack: write the gathered events now.
            write(kind, single);
            flush();
        }
    }

    /** Writes the events that wait for the end of their span. */
    void flush() {
        for (Kind kind : Kind.values()) {
            String line;
            synchronized (this) {
                Span span = spans.remove(kind);
                line = span == null ? null : span.line(kind);
            }
            write(kind, line);
        }
    }

    private void end(Kind kind) {
        long now = timing.nanoTime();
        String line;
        synchronized (this) {
            Span span = spans.get(kind);
            if (span == null || now - span.end < 0) {
                return;
            }
            line = span.line(kind);
            spans.put(kind, new Span(now + NEXT_SPAN));
        }
        write(kind, line);
    }

    /** Removes line breaks: names and messages of servers may hold some, which would forge lines of a log. */
    private static void write(Kind kind, @Nullable String line) {
        if (line != null) {
            LogQueue.log(kind.level, oneLine(line));
        }
    }

    static String oneLine(String line) {
        return line.replaceAll("\\p{Cntrl}+", " ");
    }

    /** Collects the events of a kind until a moment. */
    private static final class Span {
        private final long end;
        private int count;
        private String alone = "";
        private final List<String> named = new ArrayList<>();
        private final Map<String, Integer> reasons = new LinkedHashMap<>();

        Span(long end) {
            this.end = end;
        }

        /** Returns true for the first event. */
        boolean add(String line, String subject, String why) {
            count++;
            if (count == 1) {
                alone = line;
            }
            if (named.size() < MOST_NAMED) {
                named.add(subject);
            }
            if (!why.isEmpty() && (reasons.size() < MOST_REASONS || reasons.containsKey(why))) {
                reasons.merge(why, 1, Integer::sum);
            }
            return count == 1;
        }

        /** Null if nothing happened. */
        @Nullable
        String line(Kind kind) {
            if (count <= 1) {
                return count == 0 ? null : alone;
            }
            int unnamed = count - named.size();
            return String.format(kind.many, count)
                    + ": "
                    + String.join(", ", named)
                    + (unnamed > 0 ? " and " + unnamed + " more" : "")
                    + why();
        }

        private String why() {
            int explained =
                    reasons.values().stream().mapToInt(Integer::intValue).sum();
            if (reasons.isEmpty()) {
                return "";
            }
            if (reasons.size() == 1 && explained == count) {
                return "; each: " + reasons.keySet().iterator().next();
            }
            String each = reasons.entrySet().stream()
                    .map(reason -> reason.getValue() + " of them: " + reason.getKey())
                    .collect(Collectors.joining("; "));
            return "; " + each + (explained < count ? "; the others: other reasons" : "");
        }
    }
}
