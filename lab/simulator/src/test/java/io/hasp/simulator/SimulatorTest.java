package io.hasp.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.SteppedClient;
import io.hasp.simulator.world.Configuration;
import org.junit.jupiter.api.Test;

/** Runs seed after seed for 15 seconds, or for 10⁸ events in the full tier. {@code -Dhasp.seed=} repeats one seed. */
class SimulatorTest {
    private static final boolean FULL = "full".equals(System.getProperty("hasp.tier"));
    private static final long SECONDS = Long.getLong("hasp.simulator.seconds", FULL ? 3_600 : 15);
    private static final long EVENTS = FULL ? 100_000_000L : Long.MAX_VALUE;
    private static final long STATES = 10_000_000L;
    private static final long LEAST_EVENTS = 10_000;
    private static final int MORE_TIMES = 8;
    private static final long SEEDS_APART = 1_000_000;

    private final Simulator simulator = new Simulator(new SteppedClient.Opener(), FULL ? 30 : 26);

    @Test
    void engine_keeps_its_invariants_on_every_seed() {
        String seed = System.getProperty("hasp.seed");
        assumeTrue(seed == null, "one seed is repeated");
        long begun = System.nanoTime();
        long first = Long.getLong("hasp.simulator.first", 1);
        Long found = simulator.explore(first, EVENTS, SECONDS * 1000, FULL ? 2 : 1);
        // A busy machine takes longer for a few runs, most of all where real threads take turns.
        for (int more = 1; found == null && simulator.events() <= LEAST_EVENTS && more <= MORE_TIMES; more++) {
            found = simulator.explore(first + more * SEEDS_APART, EVENTS, SECONDS * 1000, 1);
        }
        System.out.println(simulator.summary(System.nanoTime() - begun));
        assertThat(found == null ? null : simulator.explain(found)).isNull();
        assertThat(simulator.events()).isGreaterThan(FULL ? EVENTS - 1 : LEAST_EVENTS);
        assertThat(simulator.distinctStates()).isGreaterThan(FULL ? STATES : 1_000);
        SteppedClient.TAKEN.forEach((row, times) -> System.out.println(row + " " + times));
        assertThat(SteppedClient.TAKEN)
                .as("how often each row was taken")
                .allSatisfy(
                        (row, times) -> assertThat(times.sum()).as(row.name()).isGreaterThan(FULL ? 499 : -1));
    }

    @Test
    void one_seed_is_repeated() {
        String seed = System.getProperty("hasp.seed");
        assumeTrue(seed != null, "no -Dhasp.seed is given");
        String found = simulator.explain(Long.parseLong(String.valueOf(seed)));
        System.out.println(found == null ? "seed " + seed + ": no violation" : found);
        assertThat(found).isNull();
    }

    @Test
    void run_is_the_same_each_time() {
        Simulation simulation = new Simulation(new SteppedClient.Opener(), null);
        for (long seed = 1; seed < 100; seed++) {
            Simulation.Outcome one = simulation.run(seed);
            Simulation.Outcome other = simulation.run(Configuration.of(seed), one.choices, false);
            assertThat(other.choices).as("choices of seed " + seed).isEqualTo(one.choices);
            assertThat(other.events).as("events of seed " + seed).isEqualTo(one.events);
        }
    }
}
