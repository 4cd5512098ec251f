package io.hasp.conformance.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What may be said of fencing tokens. */
final class TokenOrder {

    private TokenOrder() {}

    private static List<Attempt> withToken(LockHistory lock) {
        return lock.grants().stream().filter(grant -> grant.token() != 0).toList();
    }

    /** Sweeps over the calls; remembers the largest token answered before each. */
    static Optional<Check.Finding> acrossCalls(LockHistory lock) {
        List<Attempt> answers = withToken(lock);
        List<Attempt> calls = answers.stream()
                .sorted(Comparator.comparingLong(Attempt::asked))
                .toList();
        int answered = 0;
        Attempt largest = null;
        for (Attempt call : calls) {
            while (answered < answers.size() && answers.get(answered).start() < call.asked()) {
                Attempt earlier = answers.get(answered++);
                largest = largest == null || earlier.token() > largest.token() ? earlier : largest;
            }
            if (largest != null && call.token() <= largest.token() && !reentry(largest, call)) {
                return Optional.of(violation(largest, call));
            }
        }
        return Optional.empty();
    }

    static Optional<Check.Finding> byAnswer(LockHistory lock) {
        Attempt largest = null;
        for (Attempt next : withToken(lock)) {
            if (next.cutEnd() <= next.start()) {
                continue;
            }
            if (largest != null && next.token() <= largest.token() && !reentry(largest, next)) {
                return Optional.of(violation(largest, next));
            }
            largest = next;
        }
        return Optional.empty();
    }

    static Optional<Check.Finding> unique(LockHistory lock) {
        Map<Long, Attempt> first = new HashMap<>();
        for (Attempt next : withToken(lock)) {
            @Nullable Attempt other = first.putIfAbsent(next.token(), next);
            if (other != null && !reentry(other, next)) {
                return Optional.of(new Check.Finding("token " + next.token() + " was given twice", both(other, next)));
            }
        }
        return Optional.empty();
    }

    private static boolean reentry(Attempt hold, Attempt again) {
        return hold.client().equals(again.client()) && hold.token() == again.token() && again.start() < hold.rawEnd();
    }

    private static Check.Finding violation(Attempt earlier, Attempt later) {
        return new Check.Finding(
                "token " + later.token() + " for " + later.client() + " came after token " + earlier.token() + " for "
                        + earlier.client(),
                both(earlier, later));
    }

    private static List<Event> both(Attempt one, Attempt other) {
        List<Event> shown = new ArrayList<>(one.events());
        shown.addAll(other.events());
        return shown;
    }
}
