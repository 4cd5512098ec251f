package io.hasp.evaluation.measure;

import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

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

    private record Next(HoldLog log, int hold) {
        long entered() {
            return log.entered(hold);
        }
    }

    static Safety seenIn(List<WorkerLog> workers) {
        return workers.stream().collect(Collectors.groupingBy(WorkerLog::lockName)).values().stream()
                .map(Safety::ofOneLock)
                .reduce(NOTHING_SEEN, Safety::plus);
    }

    /** Walks through the holds of all threads in the order in which they were entered. */
    private static Safety ofOneLock(List<WorkerLog> workers) {
        PriorityQueue<Next> queue = new PriorityQueue<>((one, other) -> Long.signum(one.entered() - other.entered()));
        workers.stream()
                .map(WorkerLog::holds)
                .filter(log -> log.size() > 0)
                .forEach(log -> queue.add(new Next(log, 0)));
        HoldsInOrder holds = new HoldsInOrder();
        for (Next next = queue.poll(); next != null; next = queue.poll()) {
            HoldLog log = next.log();
            holds.enter(next.entered(), log.left(next.hold()), log.token(next.hold()), log.mode(next.hold()));
            if (next.hold() + 1 < log.size()) {
                queue.add(new Next(log, next.hold() + 1));
            }
        }
        return holds.seen(workers.stream().mapToLong(WorkerLog::lostHolds).sum());
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
