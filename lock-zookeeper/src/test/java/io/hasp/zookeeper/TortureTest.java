package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.HaspInProcess;
import io.hasp.conformance.torture.Arena;
import io.hasp.conformance.torture.TortureResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Client processes under everything that an ensemble should survive. {@code hasp.torture.seed} and
 * {@code hasp.torture.seconds} choose another or a longer run.
 */
@Timeout(600)
class TortureTest {
    private static final long SEED = Long.getLong("hasp.torture.seed", 1);
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("hasp.torture.seconds", Tier.count(15, 300)));

    @Test
    void no_fault_of_network_server_or_client_breaks_a_promise() throws Exception {
        try (Arena arena = Arena.zookeeper()) {
            String uri = "zookeeper://" + arena.address() + "?commandTimeout=2s&sessionTimeout="
                    + arena.silence().toMillis() + "ms";
            TortureResult result = arena.torture(SEED, TIME, name -> ClientJvm.start(name, HaspInProcess.class, uri));
            System.err.println(result.report());
            result.verdict().orThrow();
            assertThat(result.work().held()).isPositive();
        }
    }
}
