package io.hasp.evaluation.measure;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * What was seen of a lock's safety while its speed was measured, over all threads of all processes. No violation proves
 * nothing; one is a counter-example.
 *
 * @param holds how many holds were watched
 * @param overlaps holds that began while another of the same lock had not ended
 * @param staleTokens fencing tokens that were not larger than the one before; zero if the lock offers none
 * @param lostHolds holds that were found to be lost when they were released
 */
public record Safety(long holds, long overlaps, long staleTokens, long lostHolds) {
    static final Safety NOTHING_SEEN = new Safety(0, 0, 0, 0);

    /** The holds of one thread, and the locks that they are of. */
    private record Reader(HoldLog.Cursor hold, List<HoldsInOrder> locks) {
        void enter() {
            locks.get(hold.lock()).enter(hold.entered(), hold.left(), hold.token(), hold.mode());
        }
    }

    /** Walks through the holds of all threads in the order in which they were entered. */
    static Safety seenIn(List<WorkerLog> workers) {
        Map<String, HoldsInOrder> locks = new HashMap<>();
        PriorityQueue<Reader> queue = new PriorityQueue<>(
                (one, other) -> Long.signum(one.hold().entered() - other.hold().entered()));
        for (WorkerLog worker : workers) {
            List<HoldsInOrder> its = worker.lockNames().stream()
                    .map(name -> locks.computeIfAbsent(name, any -> new HoldsInOrder()))
                    .toList();
            Reader reader = new Reader(worker.holds().cursor(), its);
            if (reader.hold().next()) {
                queue.add(reader);
            }
        }
        for (Reader next = queue.poll(); next != null; next = queue.poll()) {
            next.enter();
            if (next.hold().next()) {
                queue.add(next);
            }
        }
        long lost = workers.stream().mapToLong(WorkerLog::lostHolds).sum();
        return locks.values().stream().map(HoldsInOrder::seen).reduce(new Safety(0, 0, 0, lost), Safety::plus);
    }

    Safety plus(Safety other) {
        return new Safety(
                holds + other.holds,
                overlaps + other.overlaps,
                staleTokens + other.staleTokens,
                lostHolds + other.lostHolds);
    }

    /**
     * Everything that must not happen.
     *
     * @return how often it did
     */
    public long violations() {
        return overlaps + staleTokens + lostHolds;
    }
}
