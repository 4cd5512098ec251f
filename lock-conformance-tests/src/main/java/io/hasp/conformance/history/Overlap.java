package io.hasp.conformance.history;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Two definite holds of different clients at one moment. One pass over the holds in the order of their answers. */
final class Overlap implements Check.Rule {
    private static final double NANOS_PER_MILLI = 1e6;

    private final ToLongFunction<Attempt> end;

    Overlap(ToLongFunction<Attempt> end) {
        this.end = end;
    }

    @Override
    public Optional<Check.Finding> find(LockHistory lock) {
        List<Attempt> open = new ArrayList<>();
        for (Attempt next : lock.grants()) {
            for (Iterator<Attempt> earlier = open.iterator(); earlier.hasNext(); ) {
                Attempt hold = earlier.next();
                if (end.applyAsLong(hold) <= next.start()) {
                    earlier.remove();
                } else if (end.applyAsLong(next) > next.start()
                        && !hold.client().equals(next.client())) {
                    return Optional.of(violation(hold, next));
                }
            }
            open.add(next);
        }
        return Optional.empty();
    }

    private Check.Finding violation(Attempt hold, Attempt next) {
        long both = Math.min(end.applyAsLong(hold), end.applyAsLong(next));
        String howLong = both == Attempt.NEVER
                ? "until the end"
                : String.format(Locale.ROOT, "for %.3f ms", (both - next.start()) / NANOS_PER_MILLI);
        List<Event> shown = new ArrayList<>(hold.events());
        shown.addAll(next.events());
        return new Check.Finding(hold.client() + " and " + next.client() + " held it at once " + howLong, shown);
    }
}
