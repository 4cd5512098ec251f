package io.hasp.evaluation.measure;

import io.hasp.conformance.LockMode;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Checks the holds of one lock in the order in which they were entered: the absence of overlaps, growing tokens of
 * holds that exclude each other, and the time from one holder to the next. Not thread-safe.
 */
final class HoldsInOrder {
    private record Present(long left, int weight) {}

    /** Those that have not been left by the time of the latest one, the first to leave first. */
    private final PriorityQueue<Present> present =
            new PriorityQueue<>((one, other) -> Long.signum(one.left() - other.left()));

    /** By weight: the largest token. */
    private final TreeMap<Integer, Long> tokens = new TreeMap<>();

    private final Histogram handoffs;
    private int used;
    private int lastThread = -1;
    private long lastLeft;
    private long holds;
    private long overlaps;
    private long stale;

    /**
     * Creates a check of one lock.
     *
     * @param handoffs receives the time of each change from one thread to another
     */
    HoldsInOrder(Histogram handoffs) {
        this.handoffs = handoffs;
    }

    /** A release that was not sent yet when another thread already had the lock is an overlap, not a hand-off. */
    private void handOff(int thread, long entered, long left) {
        long free = entered - lastLeft;
        if (lastThread >= 0 && thread != lastThread && free >= 0) {
            handoffs.recordValue(Math.min(free, LockCycles.HIGHEST));
        }
        lastThread = thread;
        lastLeft = left;
    }

    void enter(int thread, long entered, long left, long token, LockMode mode) {
        holds++;
        if (mode.weight() == mode.capacity()) {
            handOff(thread, entered, left);
        }
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
