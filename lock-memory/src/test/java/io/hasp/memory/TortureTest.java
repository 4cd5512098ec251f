package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.history.Check;
import io.hasp.conformance.history.Checks;
import io.hasp.conformance.history.Verdict;
import io.hasp.conformance.processes.LocalClient;
import io.hasp.conformance.torture.Fault;
import io.hasp.conformance.torture.Torture;
import io.hasp.conformance.torture.TortureClients;
import io.hasp.conformance.torture.TortureFaults;
import io.hasp.conformance.torture.TorturePlan;
import io.hasp.conformance.torture.TorturePlan.Setting;
import io.hasp.conformance.torture.TortureResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The engine without a network: clients of one JVM while their links are cut and signals get lost. {@code hasp.torture.seed} and {@code hasp.torture.seconds} choose another or a longer run.
 */
@Timeout(600)
@InTier(Tier.STANDARD)
class TortureTest {
    private static final long SEED = Long.getLong("hasp.torture.seed", 1);
    private static final int MOST_SEEDS = 10;
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("hasp.torture.seconds", Tier.count(8, 300)));

    @Test
    void no_fault_breaks_a_promise() throws Exception {
        MemoryFaults faults = new MemoryFaults();
        HaspSubject subject = new HaspSubject("hasp-memory", options -> LockClient.over(faults.link(), options));

        TortureResult result = Torture.run(
                new TorturePlan(
                        SEED,
                        Setting.of(TIME, Timings.lease())
                                .leases(Timings.lease())
                                .ofAllKinds()),
                name -> LocalClient.open(
                        name, TortureClients.keeps(name) ? subject.keeping(TortureClients.KEEP) : subject),
                List.of(TortureFaults.paused("memory", faults.server()), new LostSignals(faults)),
                true,
                checks());

        System.err.println(result.report());
        result.verdict().orThrow();
        assertThat(result.work().held()).isPositive();
    }

    @Test
    void an_operator_who_breaks_locks_breaks_no_promise() throws Exception {
        MemoryFaults faults = new MemoryFaults();
        HaspSubject subject = new HaspSubject("hasp-memory", options -> LockClient.over(faults.link(), options));
        List<Check> checks = checks();
        checks.add(Checks.brokenHoldsEnd(Timings.lease().plus(Timings.units(1))));

        TortureResult result = Torture.run(
                new TorturePlan(
                        SEED,
                        Setting.of(TIME, Timings.lease())
                                .holding(Timings.lease().multipliedBy(2))
                                .leases(Timings.lease())
                                .ofAllKinds()),
                name -> LocalClient.open(
                        name, TortureClients.keeps(name) ? subject.keeping(TortureClients.KEEP) : subject),
                List.of(TortureFaults.paused("memory", faults.server()), new LostSignals(faults)),
                true,
                checks,
                subject::connect);

        System.err.println(result.report());
        result.verdict().orThrow();
        assertThat(result.injected().get("lock broken by an operator")).isPositive();
    }

    @ParameterizedTest
    @EnumSource(
            value = SharedFlaw.class,
            names = {"WRITERS_BESIDE_READERS", "LOWERING_RELEASES", "TOKENS_PER_WEIGHT"})
    void a_lock_that_is_shared_wrongly_is_convicted(SharedFlaw flaw) throws Exception {
        BrokenSharedServer server = new BrokenSharedServer(flaw);
        HaspSubject subject =
                new HaspSubject(flaw.name(), options -> LockClient.over(new BrokenSharedLink(server), options));
        Setting setting = Setting.of(Duration.ofSeconds(1), Timings.lease()).ofAllKinds();
        Verdict verdict;
        long seed = 0;
        do {
            verdict = Torture.run(
                            new TorturePlan(++seed, setting),
                            name -> LocalClient.open(name, subject),
                            List.of(),
                            true,
                            checks())
                    .verdict();
        } while (verdict instanceof Verdict.Sound && seed < MOST_SEEDS);

        assertThat(verdict.report()).containsAnyOf("held it at once", "came after token");
    }

    private static List<Check> checks() {
        List<Check> checks = new ArrayList<>(Checks.safety());
        checks.add(Checks.noLostWakeUp(Timings.units(30), Timings.units(30)));
        return checks;
    }

    private record LostSignals(MemoryFaults faults) implements Fault {
        @Override
        public String name() {
            return "signals lost";
        }

        @Override
        public void inject(TortureClients clients, long choice) {
            faults.loseNotifications();
        }

        @Override
        public void heal(TortureClients clients) {}

        @Override
        public boolean outage() {
            return false;
        }
    }
}
