package io.hasp.evaluation.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private final Rounds rounds = new Rounds();

    @Test
    void a_ratio_is_divided_within_each_round_and_not_between_medians() {
        Workload distinct = Experiments.DISTINCT.workloads(ComparisonTier.QUICK).get(0);
        List.of(10L, 20L, 90L).forEach(count -> rounds.add(distinct, "a", cycles(count)));
        List.of(5L, 40L, 30L).forEach(count -> rounds.add(distinct, "b", cycles(count)));

        Ratio ratio = only(rounds.ratios(List.of(new Pairing("a", "b"))));

        // 10/5, 20/40, 90/30. The medians, 20 and 30, would give 0.67.
        assertThat(List.of(ratio.low(), ratio.median(), ratio.high())).containsExactly(0.5, 2.0, 3.0);
        assertThat(ratio.n()).isEqualTo(3);
    }

    @Test
    void the_brackets_of_a_ratio_are_where_another_run_is_expected() {
        // t(5, 0.975) = 2.5706; the logarithms lie ln 2 below and above their mean.
        Spread spread = Spread.expected(1, 4, 1, 4, 1, 4);
        double times =
                Math.exp(2.5706 * Math.log(2) * Math.sqrt(6.0 / 5) * Math.sqrt(2.0 / 6) * Math.sqrt(Math.PI / 2));

        assertThat(spread.median()).isEqualTo(2.5);
        assertThat(spread.low()).isCloseTo(2.5 / times, within(0.001));
        assertThat(spread.high()).isCloseTo(2.5 * times, within(0.001));
        assertThat(Spread.expected(2, 2, 2, 2)).isEqualTo(new Spread(2, 2, 2, 4));
    }

    @Test
    void too_few_rounds_tell_only_what_was_seen() {
        assertThat(Spread.expected(1, 4, 2)).isEqualTo(new Spread(2, 1, 4, 3));
    }

    /** Another run's median, of rounds drawn alike, lies within the brackets as often as is said, or a little more seldom. */
    @Test
    void another_run_lies_within_the_brackets_as_often_as_is_said() {
        Random random = new Random(7);
        int runs = 20_000;
        int inside = 0;
        for (int run = 0; run < runs; run++) {
            Spread first = Spread.expected(logNormal(random));
            double second = Spread.of(logNormal(random)).median();
            inside += first.low() <= second && second <= first.high() ? 1 : 0;
        }
        assertThat((double) inside / runs).isBetween(0.93, 0.98);
    }

    private static double[] logNormal(Random random) {
        return random.doubles(6).map(any -> Math.exp(random.nextGaussian() / 3)).toArray();
    }

    @Test
    void a_ratio_above_one_is_better_also_where_the_lower_figure_is() {
        assertThat(Metric.CYCLE_P50.advantage(100, 300)).isEqualTo(3);
        assertThat(Metric.CYCLES_PER_S.advantage(100, 300)).isEqualTo(1.0 / 3);
    }

    @Test
    void a_subject_that_dropped_out_is_compared_over_the_rounds_it_took_part_in() {
        Workload distinct = Experiments.DISTINCT.workloads(ComparisonTier.QUICK).get(0);
        List.of(10L, 20L, 90L).forEach(count -> rounds.add(distinct, "a", cycles(count)));
        rounds.add(distinct, "b", cycles(5));

        assertThat(only(rounds.ratios(List.of(new Pairing("a", "b")))).n()).isEqualTo(1);
        assertThat(rounds.ratios(List.of(new Pairing("a", "absent")))).isEmpty();
    }

    private static <T> T only(List<T> list) {
        assertThat(list).hasSize(1);
        return list.get(0);
    }

    private static SliceResult cycles(long count) {
        return new SliceResult(
                Duration.ofSeconds(1),
                List.of(count),
                new Histogram(3),
                Safety.NOTHING_SEEN,
                ResourceUsage.UNKNOWN,
                TrialResult.NONE);
    }
}
