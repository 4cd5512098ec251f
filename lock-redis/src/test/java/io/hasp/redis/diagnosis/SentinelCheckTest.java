package io.hasp.redis.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Finding;
import io.hasp.spi.Finding.Level;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sentinels that no server of a test is. */
class SentinelCheckTest {
    private static final String HIDDEN = "NOPERM User alice has no permissions to run the 'sentinel|ckquorum' command";

    @Test
    void a_sentinel_that_is_down_beside_others_that_hide_their_quorum_proves_no_failure() {
        Findings findings = new Findings("", "");
        SentinelCheck.run(Map.of("a:1", HIDDEN, "b:1", HIDDEN, "c:1", "sentinel c:1 can't be reached"), findings);
        assertThat(findings.list()).extracting(Finding::level).containsExactly(Level.UNKNOWN, Level.WARN);
        assertThat(findings.list().get(1).text()).contains("0 of 1", "c:1 can't be reached");
    }

    @Test
    void sentinels_without_a_quorum_are_a_failure() {
        Findings findings = new Findings("", "");
        SentinelCheck.run(Map.of("a:1", "NOQUORUM", "b:1", "sentinel b:1 can't be reached"), findings);
        assertThat(findings.list()).singleElement().extracting(Finding::level).isEqualTo(Level.FAIL);
    }
}
