package io.hasp.evaluation.measure;

import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The result of one slice: what all threads of all processes did.
 *
 * @param slice how long it was meant to last
 * @param perThread what each thread finished within the slice
 * @param times of each cycle (or of each wait where one lock is contended) in nanoseconds. Work begun within the slice
 *     counts here even if it ended later: leaving it out would hide the longest waits
 * @param holds what all holds show when they are put in order
 * @param usage what it cost
 * @param trialResult what a trial found out by itself
 */
public record SliceResult(
        Duration slice,
        List<Long> perThread,
        Histogram times,
        WatchedHolds holds,
        ResourceUsage usage,
        TrialResult trialResult) {

    /**
     * Combines what the processes did.
     *
     * @param slice how long it was meant to last
     * @param logs what each process did, at least one
     * @param usage what it cost
     * @return the sum
     */
    public static SliceResult of(Duration slice, List<SliceLog> logs, ResourceUsage usage) {
        List<WorkerLog> workers =
                logs.stream().flatMap(log -> log.workers().stream()).toList();
        Histogram times = new Histogram(workers.get(0).times());
        workers.forEach(worker -> times.add(worker.times()));
        List<Long> finished = workers.stream().map(WorkerLog::finished).toList();
        ResourceUsage whole =
                usage.ofClients(logs.stream().mapToLong(SliceLog::cpuNanos).sum(), (double)
                        logs.stream().mapToLong(SliceLog::allocatedBytes).sum());
        return new SliceResult(slice, finished, times, WatchedHolds.of(workers), whole, TrialResult.NONE);
    }

    /** The same with other times. */
    SliceResult withTimes(Histogram others) {
        return new SliceResult(slice, perThread, others, holds, usage, trialResult);
    }

    /**
     * Locks that were held and watched.
     *
     * @param watched for how long
     * @param locks how many
     * @param usage what that cost
     * @return a result without waits
     */
    public static SliceResult ofWatching(Duration watched, long locks, ResourceUsage usage) {
        return new SliceResult(
                watched,
                List.of(locks),
                new Histogram(1),
                WatchedHolds.of(new Safety(locks, 0, 0, 0)),
                usage,
                TrialResult.NONE);
    }

    /**
     * One trial.
     *
     * @param took how long it took
     * @param safety violations that must not happen; a trial that provokes them counts them in its result instead
     * @param trialResult what it found out
     * @return a result without waits
     */
    public static SliceResult ofTrial(Duration took, Safety safety, TrialResult trialResult) {
        return new SliceResult(
                took, List.of(1L), new Histogram(1), WatchedHolds.of(safety), ResourceUsage.UNKNOWN, trialResult);
    }

    /**
     * Returns the observations of the locks' safety.
     *
     * @return violations, and the number of observed holds
     */
    public Safety safety() {
        return holds.safety();
    }

    /** From one holder to the next; NaN if the lock always stayed with one thread. */
    double handoffMicros(double percentile) {
        Histogram handoffs = holds.handoffs();
        return handoffs.getTotalCount() == 0 ? Double.NaN : handoffs.getValueAtPercentile(percentile) / 1000.0;
    }

    double percentileMicros(double percentile) {
        return times.getValueAtPercentile(percentile) / 1000.0;
    }

    double meanMicros() {
        return times.getMean() / 1000;
    }

    double perSecond() {
        return finished() * 1e9 / slice.toNanos();
    }

    long finished() {
        return perThread.stream().mapToLong(Long::longValue).sum();
    }

    /** For each acquisition that the servers served, also those before the slice and those that ended after it. */
    double each(double cost) {
        return cost / safety().holds();
    }

    /** The part of an amount that falls into each second. */
    double ofEachSecond(double amount) {
        return amount * 1e9 / slice.toNanos();
    }

    /** Milliseconds of processor time in each second. */
    double cpu(double nanos) {
        return nanos * 1000 / slice.toNanos();
    }
}
