package io.hasp.evaluation.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hasp.conformance.LockMode;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class WatchedHoldsTest {
    private static final int MICRO = 1_000;

    private final HoldLog one = new HoldLog();
    private final HoldLog other = new HoldLog();

    @Test
    void only_from_one_thread_to_another_is_a_lock_handed_off() {
        hold(one, 0, 10);
        hold(one, 12, 20);
        hold(other, 50, 60);
        hold(other, 61, 70);
        hold(one, 170, 180);

        Histogram handoffs = watched().handoffs();

        assertThat(handoffs.getTotalCount()).isEqualTo(2);
        assertThat(handoffs.getMinNonZeroValue()).isCloseTo(30 * MICRO, within(50L));
        assertThat(handoffs.getMaxValue()).isCloseTo(100 * MICRO, within(100L));
    }

    @Test
    void a_hold_that_began_before_the_one_before_it_ended_is_an_overlap_and_no_hand_off() {
        hold(one, 0, 10);
        hold(other, 5, 15);

        assertThat(watched().handoffs().getTotalCount()).isZero();
        assertThat(watched().safety().overlaps()).isEqualTo(1);
    }

    @Test
    void readers_do_not_hand_a_lock_to_each_other() {
        one.add(0, 0, 10 * MICRO, OptionalLong.empty(), LockMode.READ);
        other.add(0, 20 * MICRO, 30 * MICRO, OptionalLong.empty(), LockMode.READ);

        assertThat(watched().handoffs().getTotalCount()).isZero();
    }

    @Test
    void a_lock_that_stayed_with_one_thread_has_no_such_figure() {
        hold(one, 0, 10);
        hold(one, 20, 30);

        assertThat(result(watched()).handoffMicros(50)).isNaN();
        hold(other, 100, 110);
        assertThat(result(watched()).handoffMicros(50)).isCloseTo(70, within(0.1));
    }

    private static SliceResult result(WatchedHolds watched) {
        return new SliceResult(
                Duration.ofSeconds(1), List.of(1L), new Histogram(3), watched, ResourceUsage.UNKNOWN, TrialResult.NONE);
    }

    private WatchedHolds watched() {
        return WatchedHolds.of(List.of(worker(one), worker(other)));
    }

    private static WorkerLog worker(HoldLog holds) {
        return new WorkerLog(List.of("a"), holds.size(), 0, new Histogram(3), holds);
    }

    private static void hold(HoldLog log, long entered, long left) {
        log.add(0, entered * MICRO, left * MICRO, OptionalLong.empty(), LockMode.EXCLUSIVE);
    }
}
