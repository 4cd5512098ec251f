package io.hasp.redis.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.redis.RedisLocks;
import io.hasp.spi.Finding.Level;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clocks and trips that no server of a test has. */
class ClockChecksTest {
    private static final Duration SHORT = Duration.ofMillis(1);

    private static Pulse pulse(Duration trip, Duration drift, Duration offset) {
        return new Pulse(trip, drift, SHORT, Duration.ofMillis(300), offset);
    }

    private static Level level(Pulse pulse, String check) {
        Findings findings = new Findings("", RedisLocks.DEFAULT_KEY_PREFIX);
        ClockChecks.run(pulse, findings);
        return findings.list().stream()
                .filter(finding -> finding.check().equals(check))
                .findFirst()
                .orElseThrow()
                .level();
    }

    @Test
    void a_clock_that_is_set_or_runs_at_another_speed_is_doubtful() {
        assertThat(level(pulse(SHORT, Duration.ofMillis(-2), SHORT), "clock")).isEqualTo(Level.OK);
        assertThat(level(pulse(SHORT, Duration.ofMillis(-50), SHORT), "clock")).isEqualTo(Level.WARN);
        assertThat(level(pulse(SHORT, Duration.ofHours(1), SHORT), "clock")).isEqualTo(Level.WARN);
    }

    @Test
    void a_server_that_is_far_away_is_doubtful() {
        assertThat(level(pulse(SHORT, SHORT, SHORT), "round trip")).isEqualTo(Level.OK);
        assertThat(level(pulse(Duration.ofMillis(300), SHORT, SHORT), "round trip"))
                .isEqualTo(Level.WARN);
    }

    @Test
    void clocks_of_several_servers_that_are_apart_are_doubtful() {
        Findings apart = new Findings("", "");
        ClockChecks.compare(
                List.of(pulse(SHORT, SHORT, Duration.ofSeconds(-9)), pulse(SHORT, SHORT, Duration.ofSeconds(3))),
                true,
                apart);
        assertThat(apart.list()).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Level.WARN);
            assertThat(finding.text()).contains("12000.0 ms");
        });
        Findings alone = new Findings("", "");
        ClockChecks.compare(List.of(pulse(SHORT, SHORT, SHORT)), true, alone);
        assertThat(alone.list()).isEmpty();
    }
}
