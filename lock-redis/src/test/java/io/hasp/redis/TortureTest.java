package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.VirtualThreads;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.HaspSubjectFactory;
import io.hasp.conformance.torture.TortureClients;
import io.hasp.conformance.torture.TortureEnvironment;
import io.hasp.conformance.torture.TortureFaults;
import io.hasp.conformance.torture.TortureResult;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Client processes under everything that a server with synced data should survive. {@code hasp.torture.seed} and
 * {@code hasp.torture.seconds} choose another or a longer run.
 */
@Timeout(600)
@InTier(Tier.STANDARD)
class TortureTest {
    private static final long SEED = Long.getLong("hasp.torture.seed", 1);
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("hasp.torture.seconds", Tier.count(12, 300)));

    /** Rules and the tests of errors are asked of every library in every build. */
    static Stream<Through> libraries() {
        return Stream.of(Through.values()).limit(Tier.count(1, 3));
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void no_fault_of_network_server_or_client_breaks_a_promise(Through library) throws Exception {
        try (TortureEnvironment environment = TortureEnvironment.redis()) {
            String uri =
                    Through.uri("redis://" + environment.address() + "?commandTimeout=2s&connection=" + library.word());
            TortureResult result = environment.torture(
                    SEED, TIME, name -> ClientJvm.start(name, HaspSubjectFactory.class, TortureClients.uri(name, uri)));
            System.err.println(result.report());
            result.verdict().orThrow();
            assertThat(result.work().held()).isPositive();
        }
    }

    @Test
    void an_operator_who_breaks_locks_breaks_no_promise() throws Exception {
        try (TortureEnvironment environment = TortureEnvironment.redis()) {
            String uri = "redis://" + environment.address() + "?commandTimeout=2s";
            TortureResult result = environment
                    .operated(() -> LockClient.connect(uri + "&connect=lazy"))
                    .torture(
                            SEED,
                            TIME,
                            name -> ClientJvm.start(name, HaspSubjectFactory.class, TortureClients.uri(name, uri)));
            System.err.println(result.report());
            result.verdict().orThrow();
            assertThat(result.injected().getOrDefault("lock broken by an operator", 0)
                            + result.injected().getOrDefault("operator too late", 0)
                            + result.injected().getOrDefault("operator not answered", 0))
                    .as("calls of the operator")
                    .isPositive();
        }
    }

    /** After the errors all sockets have come back, and every client gets locks again. */
    @Test
    void nor_do_errors_of_heap_and_stack() throws Exception {
        try (TortureEnvironment environment =
                TortureEnvironment.redis().only(TortureFaults.clientErrors()).threads(4)) {
            String uri = "redis://" + environment.address() + "?commandTimeout=2s";
            TortureResult result = environment.torture(
                    SEED, TIME, name -> ClientJvm.start(name, FaultySockets.class, TortureClients.uri(name, uri)));
            System.err.println(result.report());
            result.verdict().orThrow();
            assertThat(result.work().failed())
                    .as("calls that an error broke off")
                    .isPositive();
            assertThat(result.recovered())
                    .as("clients that got a lock after the last error")
                    .extracting(client -> client.split("\\.", 2)[0])
                    .contains("c0", "c1", "c2", "c3");
        }
    }

    @Test
    void nor_do_interrupts_of_virtual_threads() throws Exception {
        assumeTrue(
                VirtualThreads.exist(), "skipped: virtual threads need JDK 21 or newer, this is " + Runtime.version());
        try (TortureEnvironment environment = TortureEnvironment.redis()) {
            String uri = "redis://" + environment.address() + "?commandTimeout=2s";
            TortureResult result = environment.torture(
                    SEED, TIME, name -> ClientJvm.start(name, InterruptedVirtualThreads.class, uri));
            System.err.println(result.report());
            result.verdict().orThrow();
            assertThat(result.work().held()).isPositive();
        }
    }
}
