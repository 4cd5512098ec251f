package io.hasp.evaluation.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class FairnessIndexTest {

    @Test
    void jain_is_one_when_all_threads_got_the_same() {
        assertThat(FairnessIndex.jain(List.of(5L, 5L, 5L, 5L))).isEqualTo(1);
    }

    @Test
    void jain_is_one_of_n_when_one_thread_got_everything() {
        assertThat(FairnessIndex.jain(List.of(0L, 12L, 0L, 0L))).isEqualTo(0.25);
    }

    @Test
    void jain_of_known_shares() {
        // (1 + 2 + 3)² / (3 × (1 + 4 + 9))
        assertThat(FairnessIndex.jain(List.of(1L, 2L, 3L))).isEqualTo(36.0 / 42, within(1e-12));
    }

    @Test
    void jain_of_nothing_is_zero_and_not_undefined() {
        assertThat(FairnessIndex.jain(List.of(0L, 0L))).isZero();
    }
}
