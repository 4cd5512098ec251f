package io.hasp.conformance.history;

import io.hasp.conformance.LockMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Finds definite holds that together weigh more than the lock: for an exclusive lock, two of different clients. One
 * pass over the holds in the order of their answers.
 */
final class Overlap implements Check.SingleRule {
    private static final double NANOS_PER_MILLI = 1e6;

    private final ToLongFunction<Attempt> end;

    Overlap(ToLongFunction<Attempt> end) {
        this.end = end;
    }

    @Override
    public Optional<Check.Finding> find(LockHistory lock) {
        List<Attempt> open = new ArrayList<>();
        for (Attempt next : lock.grants()) {
            open.removeIf(hold -> end.applyAsLong(hold) <= next.start());
            if (end.applyAsLong(next) > next.start()) {
                List<Attempt> beside =
                        open.stream().filter(hold -> !reentry(hold, next)).toList();
                if (!fits(beside, next)) {
                    return Optional.of(violation(beside, next));
                }
                open.add(next);
            }
        }
        return Optional.empty();
    }

    private static boolean reentry(Attempt hold, Attempt next) {
        return hold.client().equals(next.client())
                && hold.mode().equals(LockMode.EXCLUSIVE)
                && next.mode().equals(LockMode.EXCLUSIVE);
    }

    private static boolean fits(List<Attempt> beside, Attempt next) {
        int capacity = next.mode().capacity();
        long weight = next.mode().weight();
        for (Attempt hold : beside) {
            weight += hold.mode().capacity() == capacity ? hold.mode().weight() : capacity;
        }
        return weight <= capacity;
    }

    private Check.Finding violation(List<Attempt> beside, Attempt next) {
        long both = Math.min(
                end.applyAsLong(next), beside.stream().mapToLong(end).min().orElseThrow());
        String howLong = both == Attempt.NEVER
                ? "until the end"
                : String.format(Locale.ROOT, "for %.3f ms", (both - next.start()) / NANOS_PER_MILLI);
        List<Event> shown = new ArrayList<>();
        beside.forEach(hold -> shown.addAll(hold.events()));
        shown.addAll(next.events());
        String holders = beside.stream().map(Overlap::who).distinct().collect(Collectors.joining(", "));
        return new Check.Finding(holders + " and " + who(next) + " held it at once " + howLong, shown);
    }

    private static String who(Attempt holder) {
        return holder.mode().equals(LockMode.EXCLUSIVE)
                ? holder.client()
                : holder.client() + " (" + holder.mode() + ")";
    }
}
