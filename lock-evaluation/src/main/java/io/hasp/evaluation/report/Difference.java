package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.measure.Ratio;
import io.hasp.evaluation.measure.Spread;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How one lock compares with another: the only rule by which cards, headings and sentences call two locks different. 1 has to lie
 * outside the brackets of their ratio, of at least three rounds.
 */
enum Difference {
    BETTER,
    WORSE,
    NOT_SHOWN,
    TOO_FEW_ROUNDS;

    private static final int FEWEST_ROUNDS = 3;

    static Difference of(Ratio ratio) {
        return of(ratio.median(), ratio.low(), ratio.high(), ratio.n());
    }

    private static Difference of(double median, double low, double high, int n) {
        if (n < FEWEST_ROUNDS) {
            return TOO_FEW_ROUNDS;
        }
        boolean alike = NumberText.times(median).equals("1.00");
        if (low > 1 && !alike) {
            return BETTER;
        }
        return high < 1 && !alike ? WORSE : NOT_SHOWN;
    }

    /** Also of two locks whose ratio the results don't have: by their rounds, or else by nothing. */
    static Difference of(
            ResultsDocument document,
            ReportedWorkload work,
            ReportedMetric figure,
            Measurement one,
            Measurement other) {
        Optional<Difference> forward =
                document.ratio(work, figure, one.subject(), other.subject()).map(Difference::of);
        if (forward.isPresent()) {
            return forward.get();
        }
        return document.ratio(work, figure, other.subject(), one.subject())
                .map(Difference::of)
                .map(Difference::reversed)
                .orElseGet(() -> ofRounds(figure, one, other));
    }

    private static Difference ofRounds(ReportedMetric figure, Measurement one, Measurement other) {
        int n = one.rounds().size();
        if (n == 0 || n != other.rounds().size()) {
            return NOT_SHOWN;
        }
        double[] ratios = IntStream.range(0, n)
                .mapToDouble(round -> one.rounds().get(round) / other.rounds().get(round))
                .map(times -> figure.lowerIsBetter() ? 1 / times : times)
                .toArray();
        Spread spread = Spread.expected(ratios);
        return of(spread.median(), spread.low(), spread.high(), n);
    }

    private Difference reversed() {
        return switch (this) {
            case BETTER -> WORSE;
            case WORSE -> BETTER;
            case NOT_SHOWN, TOO_FEW_ROUNDS -> this;
        };
    }
}
