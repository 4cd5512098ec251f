package io.hasp.conformance.history;

import io.hasp.conformance.LockMode;
import io.hasp.conformance.history.Event.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The times in which a lock certainly had room for a waiter, regardless of the order of the queue: its free part was as
 * large as the largest request, and no grant happened. The parts that were, or may have been, held are not free, and
 * during a fault the whole lock is not. An exclusive lock is free while it has no holder.
 */
final class FreeTimes {
    /** An interval with the weight that was taken or requested in it. */
    private record Use(long from, long to, int weight, boolean taken) {}

    /** A time in which the lock was free. */
    record Span(long from, long to) {}

    private final LockHistory lock;
    private final long lingering;
    private final int capacity;
    private final TreeMap<Long, List<Use>> changes = new TreeMap<>();

    private FreeTimes(LockHistory lock, long lingering) {
        this.lock = lock;
        this.lingering = lingering;
        this.capacity = lock.attempts().stream()
                .mapToInt(attempt -> attempt.mode().capacity())
                .max()
                .orElse(1);
    }

    static FreeTimes of(LockHistory lock, long lingering) {
        FreeTimes times = new FreeTimes(lock, lingering);
        lock.attempts().forEach(times::add);
        times.addFaults();
        return times;
    }

    boolean shared() {
        return capacity > 1;
    }

    /** The requested weights in descending order: a smaller request may wait behind a larger one. */
    List<Integer> weights() {
        return lock.attempts().stream()
                .map(this::weight)
                .distinct()
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    /** A request of another kind than most takes the whole lock. */
    int weight(Attempt attempt) {
        LockMode mode = attempt.mode();
        return mode.capacity() == capacity ? mode.weight() : capacity;
    }

    /** Returns the intervals with room for a weight. */
    List<Span> of(int weight) {
        List<Span> spans = new ArrayList<>();
        TreeMap<Integer, Integer> waiting = new TreeMap<>();
        long held = 0;
        long freeFrom = lock.events().get(0).at();
        long end = lock.events().get(lock.events().size() - 1).at();
        boolean free = true;
        for (Map.Entry<Long, List<Use>> change : changes.headMap(end, true).entrySet()) {
            long now = change.getKey();
            boolean granted = false;
            for (Use use : change.getValue()) {
                boolean begins = use.from() == now;
                if (use.taken()) {
                    granted |= begins;
                    held += (begins ? use.weight() : 0) - (use.to() == now ? use.weight() : 0);
                } else {
                    count(waiting, use, now);
                }
            }
            int needed = waiting.isEmpty() ? weight : Math.max(weight, waiting.lastKey());
            boolean stillFree = held + needed <= capacity;
            if (free && (granted || !stillFree)) {
                spans.add(new Span(freeFrom, now));
            }
            freeFrom = stillFree && (granted || !free) ? now : freeFrom;
            free = stillFree;
        }
        if (free) {
            spans.add(new Span(freeFrom, end));
        }
        return spans;
    }

    private static void count(Map<Integer, Integer> waiting, Use use, long now) {
        int more = (use.from() == now ? 1 : 0) - (use.to() == now ? 1 : 0);
        waiting.merge(use.weight(), more, Integer::sum);
        waiting.remove(use.weight(), 0);
    }

    private void add(Attempt attempt) {
        if (attempt.granted()) {
            add(new Use(attempt.start(), attempt.possibleEnd(lingering), weight(attempt), true));
        } else if (attempt.at(Kind.REFUSED) == Attempt.NEVER
                && (attempt.event(Kind.UNKNOWN) != null || attempt.died() != Attempt.NEVER)) {
            add(new Use(attempt.asked(), attempt.possibleEnd(lingering), capacity, true));
            return;
        }
        if (attempt.asked() != Attempt.NEVER) {
            add(new Use(attempt.asked(), attempt.answered(), weight(attempt), false));
        }
    }

    private void addFaults() {
        Map<String, Long> struck = new HashMap<>();
        for (Event event : lock.events()) {
            if (event.kind() == Kind.FAULT) {
                struck.putIfAbsent(event.client(), event.at());
            } else if (event.kind() == Kind.HEALED) {
                @Nullable Long since = struck.remove(event.client());
                add(new Use(since == null ? event.at() : since, event.at(), capacity, true));
            }
        }
        struck.values().forEach(since -> add(new Use(since, Attempt.NEVER, capacity, true)));
    }

    private void add(Use use) {
        changes.computeIfAbsent(use.from(), at -> new ArrayList<>()).add(use);
        if (use.to() != use.from()) {
            changes.computeIfAbsent(use.to(), at -> new ArrayList<>()).add(use);
        }
    }
}
