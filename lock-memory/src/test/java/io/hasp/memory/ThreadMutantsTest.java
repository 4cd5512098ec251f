package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults in the choice of threads and in the order of an interrupt, each found by {@link BlockedUserCodeProbe}. */
@Timeout(120)
@InTier(Tier.STANDARD)
class ThreadMutantsTest {

    @Test
    void user_code_that_blocks_costs_nothing() throws Exception {
        assertThat(SteadyRuns.until("", () -> new BlockedUserCodeProbe().call()))
                .isEmpty();
    }

    static Stream<SourceMutant> mutants() {
        return Stream.of(
                new SourceMutant(
                        "engine/EffectStarter.java",
                        "        LosslessExecutor.contained(() -> stopper.accept(told));\n",
                        "        services.threads.notices.execute(() -> stopper.accept(told));\n"),
                new SourceMutant(
                        "engine/LosslessExecutor.java",
                        "            if (between == null) {\n",
                        "            if (true) {\n"),
                new SourceMutant(
                        "ListenerQueue.java",
                        "nonBlocking && pending.get() == 0 && UserThread.isCurrent()",
                        "nonBlocking"),
                new SourceMutant(
                        "Lease.java",
                        "new LossTasks.Task(client.engine.threads().interrupts, task, true)",
                        "new LossTasks.Task(client.engine.threads().notices, task, true)"));
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void a_fault_in_the_choice_of_threads_is_found(SourceMutant mutant, @TempDir Path folder) throws Exception {
        try (SourceMutantLoader loader = new SourceMutantLoader(mutant, folder)) {
            Constructor<?> probe =
                    loader.loadClass(BlockedUserCodeProbe.class.getName()).getDeclaredConstructor();
            probe.setAccessible(true);
            assertThat(String.valueOf(((Callable<?>) probe.newInstance()).call()))
                    .isNotEmpty();
        }
    }
}
