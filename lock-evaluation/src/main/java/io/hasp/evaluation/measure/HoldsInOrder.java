package io.hasp.evaluation.measure;

import io.hasp.conformance.LockMode;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * The holds of one lock in the order in which they were entered: whether they fit together, and whether the tokens of those that
 * exclude each other grow. Not thread-safe.
 */
final class HoldsInOrder {
    private record Present(long left, int weight) {}

    /** Those that have not been left by the time of the latest one, the first to leave first. */
    private final PriorityQueue<Present> present =
            new PriorityQueue<>((one, other) -> Long.signum(one.left() - other.left()));

    /** By weight: the largest token. */
    private final TreeMap<Integer, Long> tokens = new TreeMap<>();

    private int used;
    private long holds;
    private long overlaps;
    private long stale;

    void enter(long entered, long left, long token, LockMode mode) {
        holds++;
        for (Present first = present.peek(); first != null && first.left() - entered <= 0; first = present.peek()) {
            used -= first.weight();
            present.remove();
        }
        int room = mode.capacity() - mode.weight();
        if (used > room) {
            overlaps++;
        }
        used += mode.weight();
        present.add(new Present(left, mode.weight()));
        if (token != HoldLog.NO_TOKEN) {
            if (tokens.tailMap(room, false).values().stream().anyMatch(earlier -> token <= earlier)) {
                stale++;
            }
            tokens.merge(mode.weight(), token, Math::max);
        }
    }

    Safety seen() {
        return new Safety(holds, overlaps, stale, 0);
    }
}
