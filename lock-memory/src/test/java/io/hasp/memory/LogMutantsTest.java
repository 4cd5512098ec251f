package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.mutants.MutantLoader;
import io.hasp.conformance.mutants.SourceMutant;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leases are lost if lines are written on the thread that logs them, and {@link BlockedLogProbe} finds that. */
@Timeout(60)
@InTier(Tier.STANDARD)
class LogMutantsTest {

    @Test
    void the_queue_costs_no_lease() throws Exception {
        assertThat(SteadyRuns.until(0L, () -> new BlockedLogProbe().call())).isZero();
    }

    @Test
    void logging_on_the_thread_that_finds_a_loss_is_caught() throws Exception {
        SourceMutant onTheSpot = new SourceMutant(
                "lines are written on the thread that logs them",
                "spi/LogQueue.java",
                "            thread.execute(() -> write(level, line, thrown));\n",
                "            write(level, line, thrown);\n");
        assertThat(new MutantLoader(onTheSpot).call(BlockedLogProbe.class))
                .asInstanceOf(InstanceOfAssertFactories.LONG)
                .isPositive();
    }
}
