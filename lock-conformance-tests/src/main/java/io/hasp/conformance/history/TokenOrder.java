package io.hasp.conformance.history;

import io.hasp.conformance.LockMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks the order of fencing tokens. Grants that do not conflict, such as those of two readers, have no order. */
final class TokenOrder {

    private TokenOrder() {}

    private static List<Attempt> withToken(LockHistory lock) {
        return lock.grants().stream().filter(grant -> grant.token() != 0).toList();
    }

    /** The largest token so far of each mode: a lock has few. */
    private static final class Largest {
        private final Map<LockMode, Attempt> grants = new HashMap<>();

        void add(Attempt grant) {
            grants.merge(grant.mode(), grant, (one, other) -> other.token() > one.token() ? other : one);
        }

        /** A grant that conflicts with this one, came before it, and has no smaller token. */
        Optional<Attempt> against(Attempt next) {
            return grants.values().stream()
                    .filter(earlier -> next.token() <= earlier.token()
                            && earlier.mode().conflictsWith(next.mode())
                            && !reentry(earlier, next))
                    .findFirst();
        }
    }

    /** Sweeps over the calls; remembers the largest tokens answered before each. */
    static Optional<Check.Finding> acrossCalls(LockHistory lock) {
        // A client that does not know of a break yet may go on with its grant, beside later ones.
        List<Attempt> answers = withToken(lock).stream()
                .filter(grant -> grant.start() < grant.broken(Event.Kind.BREAKING))
                .toList();
        List<Attempt> calls = answers.stream()
                .sorted(Comparator.comparingLong(Attempt::asked))
                .toList();
        int answered = 0;
        Largest largest = new Largest();
        for (Attempt call : calls) {
            while (answered < answers.size() && answers.get(answered).start() < call.asked()) {
                largest.add(answers.get(answered++));
            }
            Optional<Attempt> against = largest.against(call);
            if (against.isPresent()) {
                return Optional.of(violation(against.get(), call));
            }
        }
        return Optional.empty();
    }

    static Optional<Check.Finding> byAnswer(LockHistory lock) {
        Largest largest = new Largest();
        for (Attempt next : withToken(lock)) {
            if (next.cutEnd() <= next.start()) {
                continue;
            }
            Optional<Attempt> against = largest.against(next);
            if (against.isPresent()) {
                return Optional.of(violation(against.get(), next));
            }
            largest.add(next);
        }
        return Optional.empty();
    }

    /** Two readers may have the same token: neither excludes the other. */
    static Optional<Check.Finding> unique(LockHistory lock) {
        Map<Long, Attempt> first = new HashMap<>();
        for (Attempt next : withToken(lock)) {
            @Nullable Attempt other = first.putIfAbsent(next.token(), next);
            if (other != null && !reentry(other, next) && !(reads(other) && reads(next))) {
                return Optional.of(new Check.Finding("token " + next.token() + " was given twice", both(other, next)));
            }
        }
        return Optional.empty();
    }

    private static boolean reentry(Attempt hold, Attempt again) {
        return hold.client().equals(again.client()) && hold.token() == again.token() && again.start() < hold.rawEnd();
    }

    private static boolean reads(Attempt grant) {
        return grant.mode().equals(LockMode.READ);
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
