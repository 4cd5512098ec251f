package io.hasp.conformance.history;

import io.hasp.conformance.history.Event.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A client that waits through a time in which the lock is certainly free, or is refused at its end. Free is what remains when all times are taken
 * away in which somebody held the lock, may have held it, or a fault lasted.
 */
final class LostWakeUps implements Check.Rule {
    private static final double NANOS_PER_MILLI = 1e6;

    private final long bound;
    private final long lingering;

    LostWakeUps(long bound, long lingering) {
        this.bound = bound;
        this.lingering = lingering;
    }

    private record Span(long from, long to) {}

    @Override
    public Optional<Check.Finding> find(LockHistory lock) {
        List<Event> events = lock.events();
        if (events.isEmpty()) {
            return Optional.empty();
        }
        long end = events.get(events.size() - 1).at();
        List<Span> taken = taken(lock, end);
        long freeFrom = events.get(0).at();
        for (Span span : taken) {
            Optional<Check.Finding> found = waitedThrough(lock, new Span(freeFrom, Math.min(span.from(), end)));
            if (found.isPresent()) {
                return found;
            }
            freeFrom = Math.max(freeFrom, span.to());
        }
        return Optional.empty();
    }

    private Optional<Check.Finding> waitedThrough(LockHistory lock, Span free) {
        if (free.to() - free.from() <= bound) {
            return Optional.empty();
        }
        return lock.attempts().stream()
                .filter(waiter -> inVain(waiter, free))
                .findFirst()
                .map(waiter -> violation(lock, waiter, free));
    }

    /** A refusal needs no long wait of its own: when it came, the lock had been free for too long. */
    private boolean inVain(Attempt waiter, Span free) {
        if (waiter.asked() == Attempt.NEVER) {
            return false;
        }
        long refused = waiter.at(Kind.REFUSED);
        return waitedWhileFree(waiter, free) > bound
                || (refused != Attempt.NEVER && refused <= free.to() && refused - free.from() > bound);
    }

    private static long waitedWhileFree(Attempt waiter, Span free) {
        return Math.min(waiter.answered(), free.to()) - Math.max(waiter.asked(), free.from());
    }

    private Check.Finding violation(LockHistory lock, Attempt waiter, Span free) {
        List<Event> shown = new ArrayList<>(waiter.events());
        lock.events().stream()
                .filter(event -> event.kind() == Kind.RELEASED && event.at() <= free.from())
                .reduce((first, next) -> next)
                .ifPresent(shown::add);
        long waited = waitedWhileFree(waiter, free);
        String what = waited > bound
                ? String.format(Locale.ROOT, "waited %.3f ms although nobody held it", waited / NANOS_PER_MILLI)
                : String.format(
                        Locale.ROOT,
                        "was refused although nobody had held it for %.3f ms",
                        (waiter.at(Kind.REFUSED) - free.from()) / NANOS_PER_MILLI);
        return new Check.Finding(waiter.client() + " " + what, shown);
    }

    /** In the order of their beginnings, and one that ends the list. */
    private List<Span> taken(LockHistory lock, long end) {
        List<Span> taken = new ArrayList<>();
        for (Attempt attempt : lock.attempts()) {
            if (attempt.granted()) {
                taken.add(new Span(attempt.start(), attempt.possibleEnd(lingering)));
            } else if (attempt.at(Kind.REFUSED) == Attempt.NEVER
                    && (attempt.event(Kind.UNKNOWN) != null || attempt.died() != Attempt.NEVER)) {
                taken.add(new Span(attempt.asked(), attempt.possibleEnd(lingering)));
            }
        }
        Map<String, Long> struck = new HashMap<>();
        for (Event event : lock.events()) {
            if (event.kind() == Kind.FAULT) {
                struck.putIfAbsent(event.client(), event.at());
            } else if (event.kind() == Kind.HEALED) {
                @Nullable Long since = struck.remove(event.client());
                taken.add(new Span(since == null ? event.at() : since, event.at()));
            }
        }
        struck.values().forEach(since -> taken.add(new Span(since, Attempt.NEVER)));
        taken.add(new Span(end, Attempt.NEVER));
        taken.sort(Comparator.comparingLong(Span::from));
        return taken;
    }
}
