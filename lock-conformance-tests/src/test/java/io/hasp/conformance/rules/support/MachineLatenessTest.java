package io.hasp.conformance.rules.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The lateness of a time is what its delays have of it. */
class MachineLatenessTest {
    @Test
    void delays_count_as_far_as_they_are_in_the_time() {
        TreeMap<Long, Long> delays = new TreeMap<>(Map.of(90L, 50L, 110L, 20L, 150L, 10L, 230L, 50L, 300L, 5L));

        assertThat(MachineLateness.sum(delays, 100, 200)).isEqualTo(Duration.ofNanos(10 + 10 + 20));
        assertThat(MachineLateness.sum(delays, 310, 400)).isZero();
    }
}
