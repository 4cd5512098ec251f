package io.hasp.evaluation.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.evaluation.statistics.Pairing;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private final Rounds rounds = new Rounds();

    @Test
    void a_ratio_is_divided_within_each_round_and_not_between_medians() {
        Workload distinct = Experiments.DISTINCT.workloads(ComparisonTier.QUICK).get(0);
        List.of(10L, 20L, 90L).forEach(count -> rounds.add(distinct, "a", cycles(count), 0));
        List.of(5L, 40L, 30L).forEach(count -> rounds.add(distinct, "b", cycles(count), 0));

        Ratio ratio = only(rounds.ratios(List.of(new Pairing("a", "b"))));

        // 10/5, 20/40, 90/30. The medians, 20 and 30, would give 0.67.
        assertThat(List.of(ratio.low(), ratio.median(), ratio.high())).containsExactly(0.5, 2.0, 3.0);
        assertThat(ratio.n()).isEqualTo(3);
    }

    @Test
    void a_percentile_stands_on_a_thousand_observations_of_as_many_rounds_as_that_takes() {
        Workload alone = Experiments.UNCONTENDED.workloads(ComparisonTier.QUICK).get(0);
        for (int round = 0; round < 5; round++) {
            rounds.add(alone, "slow", times(400), round / 3);
            rounds.add(alone, "fast", times(1_000), round / 3);
            rounds.add(alone, "rare", times(15), round / 3);
        }

        assertThat(rounds.measurements())
                .filteredOn(each -> each.metric().startsWith("cycle_p"))
                .extracting(each -> each.subject() + " " + each.metric() + " " + each.forks())
                .containsExactlyInAnyOrder(
                        "slow cycle_p50 [0, 0, 0, 1, 1]",
                        "slow cycle_p99 [0]",
                        "fast cycle_p50 [0, 0, 0, 1, 1]",
                        "fast cycle_p99 [0, 0, 0, 1, 1]",
                        "rare cycle_p50 [0, 0, 0, 1, 1]");
    }

    private static SliceResult times(int count) {
        Histogram times = new Histogram(3);
        times.recordValueWithCount(1_000, count);
        return cycles(count).withTimes(times);
    }

    @Test
    void a_subject_that_dropped_out_is_compared_over_the_rounds_it_took_part_in() {
        Workload distinct = Experiments.DISTINCT.workloads(ComparisonTier.QUICK).get(0);
        List.of(10L, 20L, 90L).forEach(count -> rounds.add(distinct, "a", cycles(count), 0));
        rounds.add(distinct, "b", cycles(5), 0);

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
                WatchedHolds.of(Safety.NOTHING_SEEN),
                ResourceUsage.UNKNOWN,
                TrialResult.NONE);
    }
}
