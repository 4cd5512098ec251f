package io.hasp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StopTimesTest {
    @ParameterizedTest
    @CsvSource({"PT30S, PT5S, PT1S", "PT3S, PT0.6S, PT0.3S", "PT1H, PT5S, PT1S"})
    void both_signals_come_before_the_end_of_the_lease(Duration lease, Duration grace, Duration margin) {
        assertThat(StopTimes.of(lease)).isEqualTo(new StopTimes(grace, margin));
    }

    @Test
    void a_lease_that_is_renewed_each_third_never_comes_so_near_its_end() {
        for (long millis = 10; millis < 100_000; millis *= 2) {
            Duration lease = Duration.ofMillis(millis);
            assertThat(StopTimes.of(lease).begin()).isLessThan(lease.dividedBy(2));
        }
    }
}
