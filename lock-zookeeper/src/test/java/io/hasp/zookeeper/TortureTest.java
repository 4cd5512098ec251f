package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.HaspSubjectFactory;
import io.hasp.conformance.torture.TortureEnvironment;
import io.hasp.conformance.torture.TortureResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Client processes under every fault that an ensemble should survive. {@code hasp.torture.seed} and
 * {@code hasp.torture.seconds} choose another or a longer run.
 */
@Timeout(900)
@InTier(Tier.STANDARD)
class TortureTest {
    private static final long SEED = Long.getLong("hasp.torture.seed", 1);

    private static Duration time(int quick, int full) {
        return Duration.ofSeconds(Long.getLong("hasp.torture.seconds", Tier.count(quick, full)));
    }

    private static String uri(TortureEnvironment environment) {
        return "zookeeper://" + environment.address() + "?connectionTimeout=20s&commandTimeout=2s&sessionTimeout="
                + environment.silence().toMillis() + "ms";
    }

    private static TortureResult torture(TortureEnvironment environment, Duration time) throws Exception {
        try (environment) {
            String uri = uri(environment);
            TortureResult result =
                    environment.torture(SEED, time, name -> ClientJvm.start(name, HaspSubjectFactory.class, uri));
            System.err.println(result.report());
            result.verdict().orThrow();
            assertThat(result.work().held()).isPositive();
            return result;
        }
    }

    @Test
    void no_fault_of_network_server_or_client_breaks_a_promise() throws Exception {
        torture(TortureEnvironment.zookeeper(), time(8, 300));
    }

    @Test
    void an_operator_who_breaks_locks_breaks_no_promise() throws Exception {
        TortureEnvironment environment = TortureEnvironment.zookeeper();
        environment.operated(() -> LockClient.connect(uri(environment)));
        assertThat(torture(environment, time(8, 300)).injected().get("lock broken by an operator"))
                .isPositive();
    }

    @Test
    void no_stall_before_a_server_is_cut_off_makes_two_believers() throws Exception {
        torture(TortureEnvironment.stalledSessions(), time(10, 600));
    }

    @Test
    void no_server_that_comes_back_with_shorter_sessions_makes_two_believers() throws Exception {
        torture(TortureEnvironment.shortenedSessions(), time(8, 600));
    }
}
