package io.hasp.conformance.history;

import io.hasp.conformance.history.Event.Kind;
import io.hasp.conformance.history.MutexModel.Act;
import io.hasp.conformance.history.MutexModel.State;
import io.hasp.conformance.history.MutexModel.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Searches for an order of calls that a plain lock could have answered: the algorithm of Wing and Gong, <em>Testing and
 * verifying concurrent objects</em> (1993), with Lowe's memory of visited configurations (2017). A call that may never
 * have happened has no end: it can be placed anywhere after its beginning, or be left out.
 */
final class Linearizable implements Check.Rule {
    private static final int MOST_CONFIGURATIONS = 200_000;

    private final MutexModel model;

    Linearizable(MutexModel model) {
        this.model = model;
    }

    /** A call from its beginning to its answer; {@link Attempt#NEVER} if it may be left out. */
    private record Call(long from, long to, Step step, Collection<Event> events) {
        boolean required() {
            return to != Attempt.NEVER;
        }
    }

    private record Placed(int call, State before) {}

    private record Configuration(BitSet placed, State state) {}

    @Override
    public Optional<Check.Finding> find(LockHistory lock) {
        return new Search(calls(lock)).run();
    }

    private static List<Call> calls(LockHistory lock) {
        List<Call> calls = new ArrayList<>();
        for (Attempt attempt : lock.attempts()) {
            long asked = attempt.asked();
            if (attempt.granted()) {
                calls.add(call(attempt, asked, attempt.start(), Act.ACQUIRE));
            } else if (asked != Attempt.NEVER && attempt.at(Kind.REFUSED) == Attempt.NEVER) {
                calls.add(call(attempt, asked, Attempt.NEVER, Act.ACQUIRE));
            }
            if (asked != Attempt.NEVER && attempt.mayExpire() != Attempt.NEVER) {
                // It can't end before it began, whatever the client learned about its end.
                calls.add(call(attempt, Math.max(asked, attempt.mayExpire()), Attempt.NEVER, Act.EXPIRE));
            }
            addRelease(calls, attempt);
        }
        calls.sort(Comparator.comparingLong(Call::from));
        return calls;
    }

    private static void addRelease(List<Call> calls, Attempt attempt) {
        long from = attempt.at(Kind.RELEASE);
        if (from == Attempt.NEVER) {
            return;
        }
        if (attempt.at(Kind.NOT_HELD) != Attempt.NEVER) {
            calls.add(call(attempt, from, attempt.at(Kind.NOT_HELD), Act.REFUSED_RELEASE));
        } else {
            // After a loss, "released" may mean no more than "did not object".
            boolean certain = attempt.mayExpire() > from;
            calls.add(call(attempt, from, certain ? attempt.at(Kind.RELEASED) : Attempt.NEVER, Act.RELEASE));
        }
    }

    private static Call call(Attempt attempt, long from, long to, Act act) {
        Step step = new Step(act, attempt.client(), attempt.number(), attempt.token());
        return new Call(from, to, step, attempt.events());
    }

    /** One depth-first search, without recursion: a history may have thousands of calls. */
    private final class Search {
        private final List<Call> calls;
        private final BitSet placed = new BitSet();
        private final Deque<Placed> path = new ArrayDeque<>();
        private final Set<Configuration> visited = new HashSet<>();
        private final int required;
        private int requiredPlaced;
        private State state = State.FREE;
        private int deepest = -1;
        private List<Event> stuck = List.of();
        private String why = "";

        Search(List<Call> calls) {
            this.calls = calls;
            this.required = (int) calls.stream().filter(Call::required).count();
        }

        Optional<Check.Finding> run() {
            int next = 0;
            while (requiredPlaced < required) {
                if (visited.size() > MOST_CONFIGURATIONS) {
                    return Optional.of(new Check.Finding(
                            "gave up after " + visited.size() + " orders of " + calls.size() + " calls", List.of()));
                }
                next = placeFrom(next);
                if (next < 0) {
                    rememberWhereStuck();
                    if (path.isEmpty()) {
                        return Optional.of(new Check.Finding(why, stuck));
                    }
                    next = takeBack() + 1;
                }
            }
            return Optional.empty();
        }

        /** Places the first call from that position on that fits; then the search starts anew at 0. -1 if none fits. */
        private int placeFrom(int position) {
            long firstEnd = earliestEnd();
            for (int at = candidate(position, firstEnd); at >= 0; at = candidate(at + 1, firstEnd)) {
                int i = at % calls.size();
                Call call = calls.get(i);
                Optional<State> after = model.step(state, call.step());
                if (after.isPresent() && firstVisit(i, after.get())) {
                    path.push(new Placed(i, state));
                    state = after.get();
                    requiredPlaced += call.required() ? 1 : 0;
                    return 0;
                }
            }
            return -1;
        }

        /**
         * The first position from there on of a call that began before any other open one ended; -1 if there is none.
         * Positions count the calls twice: those that must have happened come first, and after them all those that may be
         * left out, since they seldom explain anything.
         */
        private int candidate(int from, long firstEnd) {
            int size = calls.size();
            int at = from;
            while (at < 2 * size) {
                int half = at < size ? 0 : size;
                int i = placed.nextClearBit(at - half);
                if (i >= size || calls.get(i).from() > firstEnd) {
                    at = half + size;
                } else if (calls.get(i).required() == (half == 0)) {
                    return half + i;
                } else {
                    at = half + i + 1;
                }
            }
            return -1;
        }

        private boolean firstVisit(int call, State after) {
            BitSet with = (BitSet) placed.clone();
            with.set(call);
            if (!visited.add(new Configuration(with, after))) {
                return false;
            }
            placed.set(call);
            return true;
        }

        private int takeBack() {
            Placed last = path.pop();
            placed.clear(last.call());
            requiredPlaced -= calls.get(last.call()).required() ? 1 : 0;
            state = last.before();
            return calls.get(last.call()).required() ? last.call() : last.call() + calls.size();
        }

        /** No call that began after another one ended can come before it. */
        private long earliestEnd() {
            long end = Attempt.NEVER;
            for (int i = placed.nextClearBit(0); i < calls.size(); i = placed.nextClearBit(i + 1)) {
                if (calls.get(i).from() > end) {
                    break;
                }
                end = Math.min(end, calls.get(i).to());
            }
            return end;
        }

        private void rememberWhereStuck() {
            if (requiredPlaced <= deepest) {
                return;
            }
            deepest = requiredPlaced;
            long end = earliestEnd();
            Call call = calls.stream()
                    .filter(one -> one.required() && one.to() == end && !placed.get(calls.indexOf(one)))
                    .findFirst()
                    .orElseThrow();
            List<Event> shown = new ArrayList<>(call.events());
            path.stream()
                    .limit(2)
                    .forEach(before -> shown.addAll(calls.get(before.call()).events()));
            why = call.step().client() + " #" + call.step().attempt() + ": no order of the calls explains "
                    + call.step().act() + " while the lock is " + state;
            stuck = shown;
        }
    }
}
