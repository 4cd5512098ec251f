package io.hasp.evaluation.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SliceResultTest {

    @Test
    void jain_is_one_when_all_threads_got_the_same() {
        assertThat(result(5L, 5L, 5L, 5L).jain()).isEqualTo(1);
    }

    @Test
    void jain_is_one_of_n_when_one_thread_got_everything() {
        assertThat(result(0L, 12L, 0L, 0L).jain()).isEqualTo(0.25);
    }

    @Test
    void jain_of_known_shares() {
        // (1 + 2 + 3)² / (3 × (1 + 4 + 9))
        assertThat(result(1L, 2L, 3L).jain()).isEqualTo(36.0 / 42, within(1e-12));
    }

    @Test
    void jain_of_nothing_is_zero_and_not_undefined() {
        assertThat(result(0L, 0L).jain()).isZero();
    }

    @Test
    void the_rate_counts_what_all_threads_finished() {
        assertThat(result(10L, 20L, 30L).perSecond()).isEqualTo(240);
    }

    @Test
    void percentiles_come_in_the_unit_of_the_metric() {
        SliceResult result = result(1L);
        for (int micros = 1; micros <= 100; micros++) {
            result.times().recordValue(micros * 1000L);
        }
        assertThat(Metric.CYCLE_P50.of(result)).isEqualTo(50, within(0.1));
        assertThat(Metric.CYCLE_P99.of(result)).isEqualTo(99, within(0.1));
        assertThat(Metric.WAIT_P50.of(result)).isEqualTo(0.050, within(0.0001));
    }

    @Test
    void commands_are_shared_out_among_all_acquisitions_and_not_only_those_that_ended_in_time() {
        SliceResult result = result(new ResourceUsage(60, Double.NaN, Double.NaN), 3L);
        for (int acquisition = 0; acquisition < 4; acquisition++) {
            result.times().recordValue(1000);
        }
        assertThat(Metric.COMMANDS_PER_ACQUISITION.of(result)).isEqualTo(15);
    }

    @Test
    void processor_time_is_stated_for_each_second() {
        SliceResult result = result(new ResourceUsage(Double.NaN, 5_000_000, 2_500_000), 1L);

        assertThat(Metric.CLIENT_CPU.of(result)).isEqualTo(20);
        assertThat(Metric.SERVER_CPU.of(result)).isEqualTo(10);
    }

    private static SliceResult result(Long... perThread) {
        return result(ResourceUsage.UNKNOWN, perThread);
    }

    private static SliceResult result(ResourceUsage usage, Long... perThread) {
        return new SliceResult(
                Duration.ofMillis(250),
                List.of(perThread),
                new Histogram(3),
                Safety.NOTHING_SEEN,
                usage,
                TrialResult.NONE);
    }
}
