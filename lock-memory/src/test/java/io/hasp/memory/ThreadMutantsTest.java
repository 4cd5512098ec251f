package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.mutants.MutantLoader;
import io.hasp.conformance.mutants.SourceMutant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults in the choice of threads and in the order of an interrupt, each found by {@link BlockedUserCodeProbe}. */
@Timeout(120)
class ThreadMutantsTest {
    @Test
    @InTier(Tier.STANDARD)
    void user_code_that_blocks_costs_nothing() throws Exception {
        assertThat(SteadyRuns.until("", () -> new BlockedUserCodeProbe().call()))
                .isEmpty();
    }

    static Stream<SourceMutant> mutants() {
        return Stream.of(
                new SourceMutant(
                        "work is interrupted where observers run",
                        "engine/driver/EffectStarter.java",
                        "        LosslessExecutor.contained(() -> stopper.accept(notified));\n",
                        "        services.threads.notices.execute(() -> stopper.accept(notified));\n"),
                new SourceMutant(
                        "an executor of the program is called on any thread",
                        "engine/threads/LosslessExecutor.java",
                        "            if (between == null) {\n",
                        "            if (true) {\n"),
                new SourceMutant(
                        "a listener runs on the thread that notices the event",
                        "ListenerQueue.java",
                        "nonBlocking && pending.get() == 0 && UserThread.isCurrent()",
                        "nonBlocking"),
                new SourceMutant(
                        "a task that a loss interrupts waits for observers",
                        "Lease.java",
                        "new LossTasks.Task(client.engine.threads().interrupts, task, true)",
                        "new LossTasks.Task(client.engine.threads().notices, task, true)"));
    }

    /** A change of the engine that moves the text of a mutant is noticed in each tier. */
    @ParameterizedTest
    @MethodSource("mutants")
    void each_mutant_applies_to_the_present_engine(SourceMutant mutant) throws Exception {
        assertThat(mutant.source()).contains(mutant.replacement());
    }

    @ParameterizedTest
    @MethodSource("mutants")
    @InTier(Tier.STANDARD)
    void a_fault_in_the_choice_of_threads_is_found(SourceMutant mutant) throws Exception {
        assertThat(new MutantLoader(mutant).call(BlockedUserCodeProbe.class))
                .asString()
                .isNotEmpty();
    }
}
