package io.hasp.conformance.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The servers that sentinels watch over can be failed over, by command and by a kill. */
class SentinelServersTest {

    @Test
    void a_failover_that_was_asked_for_and_one_after_a_kill_lead_to_other_masters() {
        try (SentinelServers all = SentinelServers.start(Duration.ofMillis(500))) {
            RedisServer first = all.master();
            all.failOver();
            RedisServer second = all.master();
            assertThat(second.port()).isNotEqualTo(first.port());
            second.kill();
            all.awaitFailoverFrom(second);
            second.restart();
            all.awaitSettled();
        }
    }
}
