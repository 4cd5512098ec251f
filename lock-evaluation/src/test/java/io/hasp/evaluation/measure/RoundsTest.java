package io.hasp.evaluation.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private final Rounds rounds = new Rounds();

    @Test
    void a_ratio_is_divided_within_each_round_and_not_between_medians() {
        Workload distinct = Experiment.DISTINCT.workloads(Extent.QUICK).get(0);
        List.of(10L, 20L, 90L).forEach(count -> rounds.add(distinct, "a", cycles(count)));
        List.of(5L, 40L, 30L).forEach(count -> rounds.add(distinct, "b", cycles(count)));

        Ratio ratio = only(rounds.ratios(List.of(new Pairing("a", "b"))));

        // 10/5, 20/40, 90/30. The medians, 20 and 30, would give 0.67.
        assertThat(List.of(ratio.low(), ratio.median(), ratio.high())).containsExactly(0.5, 2.0, 3.0);
        assertThat(ratio.n()).isEqualTo(3);
    }

    @Test
    void a_ratio_above_one_is_better_also_where_the_lower_figure_is() {
        assertThat(Metric.CYCLE_P50.advantage(100, 300)).isEqualTo(3);
        assertThat(Metric.CYCLES_PER_S.advantage(100, 300)).isEqualTo(1.0 / 3);
    }

    @Test
    void a_subject_that_dropped_out_is_compared_over_the_rounds_it_took_part_in() {
        Workload distinct = Experiment.DISTINCT.workloads(Extent.QUICK).get(0);
        List.of(10L, 20L, 90L).forEach(count -> rounds.add(distinct, "a", cycles(count)));
        rounds.add(distinct, "b", cycles(5));

        assertThat(only(rounds.ratios(List.of(new Pairing("a", "b")))).n()).isEqualTo(1);
        assertThat(rounds.ratios(List.of(new Pairing("a", "absent")))).isEmpty();
    }

    private static <T> T only(List<T> list) {
        assertThat(list).hasSize(1);
        return list.get(0);
    }

    private static Tally cycles(long count) {
        return new Tally(
                Duration.ofSeconds(1),
                List.of(count),
                new Histogram(3),
                Safety.NOTHING_SEEN,
                Usage.UNKNOWN,
                Findings.NONE);
    }
}
