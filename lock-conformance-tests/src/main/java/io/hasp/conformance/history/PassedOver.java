package io.hasp.conformance.history;

import io.hasp.conformance.history.Event.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds clients that wait for an exclusive lock and are overtaken: another client gets the lock whose request came
 * after the waiter had waited for longer than the bound. By then the waiter's request has reached the queue. A client
 * that requests the lock earlier may be in front: if the waiter's first request was lost, the waiter enters the queue
 * with its second one. The begin and the end of a fault restart the wait. Each waiter is reported once, with the first
 * grant that overtook it.
 */
final class PassedOver implements Check.Rule {
    private static final double NANOS_PER_MILLI = 1e6;

    private final long bound;
    private final Allowance allowance;

    PassedOver(long bound, Allowance allowance) {
        this.bound = bound;
        this.allowance = allowance;
    }

    @Override
    public Stream<Check.Finding> find(LockHistory lock) {
        List<Long> faults = lock.events().stream()
                .filter(event -> event.kind() == Kind.FAULT || event.kind() == Kind.HEALED)
                .map(Event::at)
                .toList();
        List<Attempt> grants = lock.grants();
        // The others can't have been passed over; a long history has very many of them.
        return lock.attempts().stream()
                .filter(attempt -> attempt.asked() < attempt.answered() - bound)
                .flatMap(waiter -> passedBy(waiter, grants, faults).stream());
    }

    private Optional<Check.Finding> passedBy(Attempt waiter, List<Attempt> grants, List<Long> faults) {
        for (Attempt granted : grants) {
            if (waiter.asked() < granted.asked() && waiter.answered() > granted.start()) {
                long since = Math.max(waiter.asked(), lastBefore(granted.start(), faults));
                long waited = granted.asked() - since;
                if (waited > bound
                        && waited - bound
                                > allowance.between(since, granted.asked()).toNanos()) {
                    return Optional.of(finding(waiter, granted, waited));
                }
            }
        }
        return Optional.empty();
    }

    private static long lastBefore(long moment, List<Long> faults) {
        return faults.stream()
                .mapToLong(Long::longValue)
                .filter(at -> at <= moment)
                .max()
                .orElse(Long.MIN_VALUE);
    }

    private static Check.Finding finding(Attempt waiter, Attempt granted, long waited) {
        List<Event> shown = new ArrayList<>(waiter.events());
        shown.addAll(granted.events());
        String what = String.format(
                Locale.ROOT,
                "%s had waited undisturbed for %.3f ms when %s asked, which got it first",
                waiter.client(),
                waited / NANOS_PER_MILLI,
                granted.client());
        return new Check.Finding(what, shown);
    }
}
