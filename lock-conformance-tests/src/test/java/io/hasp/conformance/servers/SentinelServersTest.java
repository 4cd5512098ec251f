package io.hasp.conformance.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The servers that sentinels watch over can be failed over; those of other modules kill and stop them as well. */
class SentinelServersTest {

    @Test
    void a_failover_leads_to_another_master_and_the_former_becomes_its_replica() {
        try (SentinelServers all = SentinelServers.start(Duration.ofMillis(500))) {
            RedisServer first = all.master();
            all.failOver();
            RedisServer second = all.master();
            assertThat(second.port()).isNotEqualTo(first.port());
            all.awaitSettled();
        }
    }
}
