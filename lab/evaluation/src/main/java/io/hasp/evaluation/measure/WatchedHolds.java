package io.hasp.evaluation.measure;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.HdrHistogram.Histogram;

/**
 * The holds of all threads of all processes, checked in order.
 *
 * @param safety the violations
 * @param handoffs the times without a holder while the lock moved from one thread to another, in nanoseconds
 */
public record WatchedHolds(Safety safety, Histogram handoffs) {

    /** The holds of one thread, and the locks that they are of. */
    private record Reader(int thread, HoldLog.Cursor hold, List<HoldsInOrder> locks) {
        void enter() {
            locks.get(hold.lock()).enter(thread, hold.entered(), hold.left(), hold.token(), hold.mode());
        }
    }

    /** Creates the result of work without waiting. */
    static WatchedHolds of(Safety safety) {
        return new WatchedHolds(safety, new Histogram(1));
    }

    /** Walks through the holds of all threads in the order in which they were entered. */
    static WatchedHolds of(List<WorkerLog> workers) {
        Map<String, HoldsInOrder> locks = new HashMap<>();
        Histogram handoffs = new Histogram(LockCycles.HIGHEST, LockCycles.DIGITS);
        PriorityQueue<Reader> queue = new PriorityQueue<>(
                (one, other) -> Long.signum(one.hold().entered() - other.hold().entered()));
        for (int thread = 0; thread < workers.size(); thread++) {
            WorkerLog worker = workers.get(thread);
            List<HoldsInOrder> its = worker.lockNames().stream()
                    .map(name -> locks.computeIfAbsent(name, any -> new HoldsInOrder(handoffs)))
                    .toList();
            Reader reader = new Reader(thread, worker.holds().cursor(), its);
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
        Safety safety = locks.values().stream().map(HoldsInOrder::seen).reduce(new Safety(0, 0, 0, lost), Safety::plus);
        return new WatchedHolds(safety, handoffs);
    }
}
