package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.VirtualThreads;
import io.hasp.conformance.history.Event;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.HaspSubjectFactory;
import io.hasp.conformance.torture.TortureEnvironment;
import io.hasp.conformance.torture.TortureFaults;
import io.hasp.conformance.torture.TortureResult;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Client processes while nodes stop, break off, die and come back. {@code hasp.torture.seed} and
 * {@code hasp.torture.seconds} choose another or a longer run.
 */
@Timeout(600)
@InTier(Tier.STANDARD)
class RedlockTortureTest {
    private static final long SEED = Long.getLong("hasp.torture.seed", 1);
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("hasp.torture.seconds", Tier.count(10, 300)));

    @Test
    void no_fault_of_nodes_network_or_clients_breaks_a_promise() throws Exception {
        try (TortureEnvironment environment = TortureEnvironment.redlock()) {
            String uri = "redlock://" + environment.address() + "?nodeTimeout=" + RedlockServers.NODE_TIMEOUT;
            TortureResult result =
                    environment.torture(SEED, TIME, name -> ClientJvm.start(name, HaspSubjectFactory.class, uri));
            Map<String, Long> each = grants(result);
            System.err.println(result.report() + "\ngrants of each client: " + each);
            result.verdict().orThrow();
            assertThat(each.keySet()).as("clients that got a lock").contains("c0", "c1", "c2", "c3");
            assertThat(each.values().stream().mapToLong(Long::longValue).sum())
                    .as("acquisitions")
                    .isGreaterThan(Tier.count(100, 10_000));
        }
    }

    @Test
    void an_operator_who_breaks_locks_breaks_no_promise() throws Exception {
        try (TortureEnvironment environment = TortureEnvironment.redlock()) {
            String uri = "redlock://" + environment.address() + "?nodeTimeout=" + RedlockServers.NODE_TIMEOUT;
            TortureResult result = environment
                    .operated(() -> LockClient.connect(uri + "&connect=lazy"))
                    .torture(SEED, TIME, name -> ClientJvm.start(name, HaspSubjectFactory.class, uri));
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
                TortureEnvironment.redlock().only(TortureFaults.clientErrors()).threads(4)) {
            String uri = "redlock://" + environment.address() + "?nodeTimeout=" + RedlockServers.NODE_TIMEOUT;
            TortureResult result =
                    environment.torture(SEED, TIME, name -> ClientJvm.start(name, FaultySockets.class, uri));
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
        try (TortureEnvironment environment = TortureEnvironment.redlock()) {
            String uri = "redlock://" + environment.address() + "?nodeTimeout=" + RedlockServers.NODE_TIMEOUT;
            TortureResult result = environment.torture(
                    SEED, TIME, name -> ClientJvm.start(name, InterruptedVirtualThreads.class, uri));
            System.err.println(result.report());
            result.verdict().orThrow();
            assertThat(result.work().held()).isPositive();
        }
    }

    private static Map<String, Long> grants(TortureResult result) {
        return result.history().events().stream()
                .filter(event -> event.kind() == Event.Kind.GRANTED)
                .collect(Collectors.groupingBy(event -> event.client().split("\\.")[0], Collectors.counting()));
    }
}
