package io.hasp.conformance.history;

import io.hasp.conformance.history.Event.Kind;
import io.hasp.conformance.history.FreeTimes.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds a client that waits while the lock certainly has room for it, or is refused after such a time.
 * {@link FreeTimes} defines the room.
 */
final class LostWakeUps implements Check.Rule {
    private static final double NANOS_PER_MILLI = 1e6;

    private final long bound;
    private final long lingering;
    private final Allowance allowance;

    LostWakeUps(long bound, long lingering, Allowance allowance) {
        this.bound = bound;
        this.lingering = lingering;
        this.allowance = allowance;
    }

    @Override
    public Stream<Check.Finding> find(LockHistory lock) {
        if (lock.events().isEmpty()) {
            return Stream.empty();
        }
        FreeTimes times = FreeTimes.of(lock, lingering);
        return times.weights().stream()
                .flatMap(weight -> times.of(weight).stream()
                        .filter(free -> free.to() - free.from() > bound)
                        .flatMap(free -> waitedThrough(lock, times, weight, free).stream()));
    }

    private Optional<Check.Finding> waitedThrough(LockHistory lock, FreeTimes times, int weight, Span free) {
        return lock.attempts().stream()
                .filter(waiter -> times.weight(waiter) == weight && inVain(waiter, free))
                .findFirst()
                .map(waiter -> violation(lock, times, waiter, free));
    }

    /** A refusal needs no long wait of its own: the lock had been free for too long when it came. */
    private boolean inVain(Attempt waiter, Span free) {
        if (waiter.asked() == Attempt.NEVER) {
            return false;
        }
        long refused = waiter.at(Kind.REFUSED);
        return tooLong(Math.max(waiter.asked(), free.from()), Math.min(waiter.answered(), free.to()))
                || (refused != Attempt.NEVER && refused <= free.to() && tooLong(free.from(), refused));
    }

    private boolean tooLong(long from, long to) {
        return to - from > bound
                && to - from - bound > allowance.between(from, to).toNanos();
    }

    private static long waitedWhileFree(Attempt waiter, Span free) {
        return Math.min(waiter.answered(), free.to()) - Math.max(waiter.asked(), free.from());
    }

    private Check.Finding violation(LockHistory lock, FreeTimes times, Attempt waiter, Span free) {
        List<Event> shown = new ArrayList<>(waiter.events());
        lock.events().stream()
                .filter(event -> event.kind() == Kind.RELEASED && event.at() <= free.from())
                .reduce((first, next) -> next)
                .ifPresent(shown::add);
        boolean shared = times.shared();
        long waited = waitedWhileFree(waiter, free);
        String what = waited > bound
                ? String.format(
                        Locale.ROOT,
                        shared
                                ? "waited %.3f ms although there was room for it"
                                : "waited %.3f ms although nobody held it",
                        waited / NANOS_PER_MILLI)
                : String.format(
                        Locale.ROOT,
                        shared
                                ? "was refused although there had been room for it for %.3f ms"
                                : "was refused although nobody had held it for %.3f ms",
                        (waiter.at(Kind.REFUSED) - free.from()) / NANOS_PER_MILLI);
        return new Check.Finding(waiter.client() + " " + what, shown);
    }
}
