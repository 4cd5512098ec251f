package io.hasp.conformance.history;

import io.hasp.conformance.history.Event.Kind;
import java.util.Locale;
import java.util.stream.Stream;

/** Finds clients that consider a lock held although an operator broke it long ago. */
final class BrokenHolds implements Check.Rule {
    private static final double NANOS_PER_MILLI = 1e6;

    private final long bound;

    BrokenHolds(long bound) {
        this.bound = bound;
    }

    @Override
    public Stream<Check.Finding> find(LockHistory lock) {
        long last = lock.events().stream().mapToLong(Event::at).max().orElse(0);
        return lock.grants().stream()
                .filter(grant -> grant.broken(Kind.BROKEN) != Attempt.NEVER)
                .filter(grant -> beyond(grant, last) > bound)
                .map(grant -> new Check.Finding(
                        String.format(
                                Locale.ROOT,
                                "%s believed for %.3f ms after its grant was broken",
                                grant.client(),
                                beyond(grant, last) / NANOS_PER_MILLI),
                        grant.eventsAndBreaks()));
    }

    private static long beyond(Attempt grant, long last) {
        return Math.min(grant.believedEnd(), last) - grant.broken(Kind.BROKEN);
    }
}
