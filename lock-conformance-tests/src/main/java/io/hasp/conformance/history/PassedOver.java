package io.hasp.conformance.history;

import io.hasp.conformance.history.Event.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A client that waits for an exclusive lock while a client that asked later gets it. A fault's begin and end start the wait anew. */
final class PassedOver {
    private static final double NANOS_PER_MILLI = 1e6;

    private final long bound;

    PassedOver(long bound) {
        this.bound = bound;
    }

    Optional<Check.Finding> find(LockHistory lock) {
        List<Event> faults = lock.events().stream()
                .filter(event -> event.kind() == Kind.FAULT || event.kind() == Kind.HEALED)
                .toList();
        // The others can't have been passed over; a long history has very many of them.
        List<Attempt> waiters = lock.attempts().stream()
                .filter(attempt -> attempt.asked() < attempt.answered() - bound)
                .toList();
        for (Attempt granted : lock.grants()) {
            long undisturbed = faults.stream()
                    .mapToLong(Event::at)
                    .filter(at -> at <= granted.start())
                    .max()
                    .orElse(Long.MIN_VALUE);
            for (Attempt waiter : waiters) {
                long waited = granted.start() - Math.max(waiter.asked(), undisturbed);
                if (waiter.asked() < granted.asked() && waiter.answered() > granted.start() && waited > bound) {
                    List<Event> shown = new ArrayList<>(waiter.events());
                    shown.addAll(granted.events());
                    String what = String.format(
                            Locale.ROOT,
                            "%s had waited undisturbed for %.3f ms when %s got it, which asked later",
                            waiter.client(),
                            waited / NANOS_PER_MILLI,
                            granted.client());
                    return Optional.of(new Check.Finding(what, shown));
                }
            }
        }
        return Optional.empty();
    }
}
