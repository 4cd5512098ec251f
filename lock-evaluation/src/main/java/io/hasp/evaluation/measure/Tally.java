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
 * @param safety what the witnesses of the locks saw
 */
record Tally(Duration slice, List<Long> perThread, Histogram times, Safety safety) {

    double percentileMicros(double percentile) {
        return times.getValueAtPercentile(percentile) / 1000.0;
    }

    double perSecond() {
        return finished() * 1e9 / slice.toNanos();
    }

    long finished() {
        return perThread.stream().mapToLong(Long::longValue).sum();
    }

    /** R. Jain, D. Chiu, W. Hawe, <em>A Quantitative Measure of Fairness and Discrimination</em>, 1984. */
    double jain() {
        double sum = finished();
        double squares =
                perThread.stream().mapToDouble(count -> (double) count * count).sum();
        return squares == 0 ? 0 : sum * sum / (perThread.size() * squares);
    }
}
