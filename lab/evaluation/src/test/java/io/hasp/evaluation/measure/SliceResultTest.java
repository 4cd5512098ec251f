package io.hasp.evaluation.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SliceResultTest {

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
    void costs_are_shared_out_among_all_acquisitions_and_not_only_those_that_ended_in_time() {
        SliceResult result =
                result(new ResourceUsage(60, 8_000, Double.NaN, 400, Double.NaN, 100), new Safety(4, 0, 0, 0), 3L);

        assertThat(Metric.COMMANDS_PER_ACQUISITION.of(result)).isEqualTo(15);
        assertThat(Metric.BYTES_PER_ACQUISITION.of(result)).isEqualTo(100);
        assertThat(Metric.ALLOCATED_PER_ACQUISITION.of(result)).isEqualTo(25);
        assertThat(Metric.CLIENT_CPU_PER_ACQUISITION.of(result)).as("µs").isEqualTo(2);
    }

    @Test
    void what_held_locks_cost_is_stated_for_each_second() {
        SliceResult result = result(new ResourceUsage(30, 5_000_000, 2_500_000, Double.NaN, 4_096, Double.NaN), 1L);

        assertThat(Metric.CLIENT_CPU.of(result)).isEqualTo(20);
        assertThat(Metric.SERVER_CPU.of(result)).isEqualTo(10);
        assertThat(Metric.SERVER_COMMANDS_PER_S.of(result)).isEqualTo(120);
        assertThat(Metric.SERVER_DISK_BYTES_PER_S.of(result)).isEqualTo(4 * 4_096);
    }

    private static SliceResult result(Long... perThread) {
        return result(ResourceUsage.UNKNOWN, perThread);
    }

    private static SliceResult result(ResourceUsage usage, Long... perThread) {
        return result(usage, Safety.NOTHING_SEEN, perThread);
    }

    private static SliceResult result(ResourceUsage usage, Safety safety, Long... perThread) {
        return new SliceResult(
                Duration.ofMillis(250),
                List.of(perThread),
                new Histogram(3),
                WatchedHolds.of(safety),
                usage,
                TrialResult.NONE);
    }
}
