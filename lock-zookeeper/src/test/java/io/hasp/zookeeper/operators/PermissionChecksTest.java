package io.hasp.zookeeper.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Finding;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rate of the servers' clock: no test sets the clock of a real server. */
class PermissionChecksTest {
    @ParameterizedTest
    @CsvSource({"300,OK", "292,OK", "318,OK", "0,WARN", "-1000,WARN", "280,WARN", "330,WARN", "3600000,WARN"})
    void a_clock_that_does_not_go_on_like_the_monotonic_one_is_a_warning(long millis, Finding.Level level) {
        Findings findings = new Findings();
        PermissionChecks.compare(Duration.ofMillis(millis), Duration.ofMillis(300), Duration.ofMillis(310), findings);
        assertThat(findings.all()).singleElement().satisfies(found -> {
            assertThat(found.level()).isEqualTo(level);
            assertThat(found.text()).contains(millis + " ms while 300 to 310 ms");
        });
    }
}
