package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.history.Check;
import io.hasp.conformance.history.Checks;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.HaspSubjectFactory;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.conformance.torture.Fault;
import io.hasp.conformance.torture.Torture;
import io.hasp.conformance.torture.TortureClients;
import io.hasp.conformance.torture.TortureFaults;
import io.hasp.conformance.torture.TorturePlan;
import io.hasp.conformance.torture.TortureResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Client processes under everything that a server which syncs each commit should survive. {@code hasp.torture.seed} and
 * {@code hasp.torture.seconds} choose another or a longer run.
 */
@Timeout(600)
@InTier(Tier.STANDARD)
class TortureTest {
    private static final long SEED = Long.getLong("hasp.torture.seed", 1);
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("hasp.torture.seconds", Tier.count(15, 300)));

    @Test
    void no_fault_of_network_server_or_client_breaks_a_promise() throws Exception {
        try (PostgresServer postgres = PostgresServer.start();
                FaultProxy proxy = FaultProxy.before(postgres.port())) {
            // The tables before the faults.
            TestBackend.on(postgres).close();
            List<Fault> faults = List.of(
                    TortureFaults.paused("postgres", postgres),
                    TortureFaults.restarted("postgres", postgres),
                    TortureFaults.held("postgres", proxy),
                    TortureFaults.dropped("postgres", proxy),
                    TortureFaults.delayed("postgres", proxy),
                    TortureFaults.cut("postgres", proxy),
                    new BackendsEnded(postgres),
                    TortureFaults.clientPaused(),
                    TortureFaults.clientKilled());
            Duration silence = Timings.lease();
            List<Check> checks = new ArrayList<>(Checks.safety());
            checks.add(Checks.noLostWakeUp(
                    silence.plus(Timings.units(15)),
                    silence.plus(Timings.tolerance()).plus(Timings.units(5))));
            String uri = PostgresServer.uri("127.0.0.1:" + proxy.port()) + "&commandTimeout=2s";
            TorturePlan.Setting setting =
                    TorturePlan.Setting.of(TIME, Timings.lease()).ofAllKinds();
            TortureResult result = Torture.run(
                    new TorturePlan(SEED, setting),
                    name -> ClientJvm.start(name, HaspSubjectFactory.class, TortureClients.uri(name, uri)),
                    faults,
                    true,
                    checks);
            System.err.println(result.report());
            result.verdict().orThrow();
            assertThat(result.work().held()).isPositive();
        }
    }

    /** An operator, or the server's own timeouts, end every connection at once: {@code pg_terminate_backend}. */
    private record BackendsEnded(PostgresServer postgres) implements Fault {
        @Override
        public String name() {
            return "postgres ending all connections";
        }

        @Override
        public boolean restartsWaits() {
            return true;
        }

        @Override
        public void inject(TortureClients clients, long choice) {
            postgres.run("select count(pg_terminate_backend(pid)) from pg_stat_activity"
                    + " where backend_type = 'client backend' and pid <> pg_backend_pid()");
        }

        @Override
        public void heal(TortureClients clients) {
            // The connections are gone.
        }
    }
}
