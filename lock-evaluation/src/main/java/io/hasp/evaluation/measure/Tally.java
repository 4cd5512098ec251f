package io.hasp.evaluation.measure;

import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What all threads of one slice did.
 *
 * @param slice how long it was meant to last
 * @param perThread what each thread finished within the slice
 * @param times of each cycle (or of each wait where one lock is contended) in nanoseconds. Work begun within the slice
 *     counts here even if it ended later: leaving it out would hide the longest waits
 * @param safety what was seen of the locks' safety
 * @param usage what it cost
 * @param findings what a trial found out by itself
 */
public record Tally(
        Duration slice, List<Long> perThread, Histogram times, Safety safety, Usage usage, Findings findings) {

    /**
     * Sums up.
     *
     * @param slice how long it was meant to last
     * @param shifts what each process did, at least one
     * @param usage what it cost
     * @return the sum
     */
    public static Tally of(Duration slice, List<Shift> shifts, Usage usage) {
        List<LaneLog> lanes =
                shifts.stream().flatMap(shift -> shift.lanes().stream()).toList();
        Histogram times = new Histogram(lanes.get(0).times());
        lanes.forEach(lane -> times.add(lane.times()));
        List<Long> finished = lanes.stream().map(LaneLog::finished).toList();
        return new Tally(slice, finished, times, Safety.seenIn(lanes), usage, Findings.NONE);
    }

    /**
     * Locks that were held and watched.
     *
     * @param watched for how long
     * @param locks how many
     * @param usage what that cost
     * @return a tally without waits
     */
    public static Tally ofWatching(Duration watched, long locks, Usage usage) {
        return new Tally(watched, List.of(locks), new Histogram(1), new Safety(locks, 0, 0, 0), usage, Findings.NONE);
    }

    /**
     * One trial.
     *
     * @param took how long it took
     * @param safety what was seen that must not happen; a trial in which it may happen says so by its findings instead
     * @param findings what it found out
     * @return a tally without waits
     */
    public static Tally ofTrial(Duration took, Safety safety, Findings findings) {
        return new Tally(took, List.of(1L), new Histogram(1), safety, Usage.UNKNOWN, findings);
    }

    double percentileMicros(double percentile) {
        return times.getValueAtPercentile(percentile) / 1000.0;
    }

    double perSecond() {
        return finished() * 1e9 / slice.toNanos();
    }

    long finished() {
        return perThread.stream().mapToLong(Long::longValue).sum();
    }

    /** All acquisitions that the servers served, also those that ended after the slice. */
    double commandsPerAcquisition() {
        return usage.commands() / times.getTotalCount();
    }

    /** Milliseconds of processor time in each second. */
    double cpu(double nanos) {
        return nanos * 1000 / slice.toNanos();
    }

    /** R. Jain, D. Chiu, W. Hawe, <em>A Quantitative Measure of Fairness and Discrimination</em>, 1984. */
    double jain() {
        double sum = finished();
        double squares =
                perThread.stream().mapToDouble(count -> (double) count * count).sum();
        return squares == 0 ? 0 : sum * sum / (perThread.size() * squares);
    }
}
