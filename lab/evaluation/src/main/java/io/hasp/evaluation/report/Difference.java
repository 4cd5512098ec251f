package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.measure.Ratio;
import io.hasp.evaluation.measure.Results;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import io.hasp.evaluation.statistics.Series;
import io.hasp.evaluation.statistics.Spread;
import java.util.ArrayList;
import java.util.List;

/**
 * The comparison of two locks: the only rule by which the answer calls them different. 1 must lie outside the interval
 * of their ratio, of at least four rounds: fewer have no interval. If a lock is selected as the best of several, the interval is wide enough
 * to hold for all possible comparisons together.
 */
enum Difference {
    BETTER,
    WORSE,
    NOT_SHOWN,
    TOO_FEW_ROUNDS;

    /** The meaning of a ratio's brackets, in the words of each text that shows ratios. */
    static final String INTERVAL = "95 % interval for a repeated run, on one machine, on one day";

    private static Difference of(Spread times) {
        if (times.n() < Series.FEWEST) {
            return TOO_FEW_ROUNDS;
        }
        if (times.low() > 1 && !isOneAsShown(times.low())) {
            return BETTER;
        }
        return times.high() < 1 && !isOneAsShown(times.high()) ? WORSE : NOT_SHOWN;
    }

    /** The meaning of the brackets of a run's ratios of first figures, in lines of words. */
    static List<String> brackets(Results results) {
        List<Ratio> ratios = results.ratiosOfFirstFigures();
        long few = ratios.stream().filter(each -> each.n() < Series.FEWEST).count();
        if (few > 0 && few == ratios.size()) {
            return List.of("in brackets the lowest and the highest round; fewer than four rounds show no difference");
        }
        List<String> lines = new ArrayList<>();
        lines.add("in brackets the " + INTERVAL + ";");
        lines.add("where they include 1, no difference was shown");
        if (few > 0) {
            lines.add("of fewer than four rounds the lowest and the highest, which show no difference");
        }
        if (results.forks() < 2) {
            lines.add("the clients were started once: a repeated run differs more often");
        }
        return lines;
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
