package io.hasp.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.redis.script.QueueScenario.Kind;
import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Crowds of simulated clients on the real scripts, as seeds decide. {@code -Dhasp.seed=} repeats one seed. */
@InTier(Tier.STANDARD)
class QueueSimulationTest extends ScriptFixture {
    /** Each of {@link QueueMutantsTest} is found by one of them. */
    static final List<Long> QUICK_SEEDS = List.of(12L, 4L, 5L, 7L, 26L);

    private static final long FULL_SEEDS = 100;
    static final long DURATION = 20 * QueueSimulation.SECOND;

    static Stream<Arguments> mixes() {
        return Stream.of(Kind.values())
                .flatMap(kind -> Stream.of(FaultMix.values()).map(faults -> Arguments.of(kind, faults)));
    }

    @ParameterizedTest
    @MethodSource("mixes")
    void nobody_is_passed_left_waiting_or_granted_what_another_one_has(Kind kind, FaultMix faults) throws IOException {
        int grants = 0;
        List<Long> seeds = seeds(kind);
        for (long seed : seeds) {
            QueueChecks checks = QueueScenario.run(server, LockScript::text, kind, faults, seed, DURATION);
            assertThat(checks.report())
                    .as("repeat it with -Dhasp.seed=%s -Dtest=QueueSimulationTest", seed)
                    .isEmpty();
            grants += checks.grants();
        }
        assertThat(grants).as("grants that were checked").isGreaterThan(5 * seeds.size());
    }

    private static List<Long> seeds(Kind kind) {
        Long only = Long.getLong("hasp.seed");
        if (only != null) {
            return List.of(only);
        }
        if (Tier.current() == Tier.FULL) {
            return LongStream.rangeClosed(1, FULL_SEEDS).boxed().toList();
        }
        // Readers and writers come in each other's way most.
        return kind == Kind.READ_WRITE ? QUICK_SEEDS : QUICK_SEEDS.subList(0, 2);
    }
}
