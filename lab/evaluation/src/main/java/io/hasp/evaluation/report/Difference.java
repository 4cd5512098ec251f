package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import io.hasp.evaluation.statistics.Spread;

/**
 * The comparison of two locks: the only rule by which the answer calls them different. 1 must lie outside the interval
 * of their ratio, of at least three rounds. If a lock is selected as the best of several, the interval is wide enough
 * to hold for all possible comparisons together.
 */
enum Difference {
    BETTER,
    WORSE,
    NOT_SHOWN,
    TOO_FEW_ROUNDS;

    /** The meaning of a ratio's brackets, in the words of each text that shows ratios. */
    static final String INTERVAL = "95 % interval for a repeated run, on one machine, on one day";

    private static final int FEWEST_ROUNDS = 3;

    private static Difference of(Spread times) {
        if (times.n() < FEWEST_ROUNDS) {
            return TOO_FEW_ROUNDS;
        }
        if (times.low() > 1 && !isOneAsShown(times.low())) {
            return BETTER;
        }
        return times.high() < 1 && !isOneAsShown(times.high()) ? WORSE : NOT_SHOWN;
    }

    /** Brackets that are shown as ending at 1 include it. */
    private static boolean isOneAsShown(double bound) {
        return NumberText.times(bound).equals("1.00");
    }

    /**
     * Of two locks.
     *
     * @param comparisons how many could have been made, of which this one was picked
     */
    static Difference of(
            ResultsDocument document,
            ReportedWorkload work,
            ReportedMetric figure,
            Measurement one,
            Measurement other,
            int comparisons) {
        return document.advantage(work, figure, one, other, comparisons)
                .map(Difference::of)
                .orElse(NOT_SHOWN);
    }
}
