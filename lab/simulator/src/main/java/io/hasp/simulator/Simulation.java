package io.hasp.simulator;

import io.hasp.simulator.clients.ClientDriver;
import io.hasp.simulator.threads.EngineLogHandler;
import io.hasp.simulator.world.ChoiceSequence;
import io.hasp.simulator.world.Configuration;
import io.hasp.simulator.world.EventTrace;
import io.hasp.simulator.world.Violation;
import io.hasp.simulator.world.World;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes runs: of a seed, or of a configuration and its choices. Thread-safe. */
final class Simulation {
    private final ClientDriver.Factory factory;
    private final @Nullable DistinctStateCounter states;

    /** The outcome of one run. */
    static final class Outcome {
        final @Nullable Violation violation;
        final long events;
        final long newStates;
        final int[] choices;
        final List<String> trace;

        private Outcome(@Nullable Violation violation, SimulationRun run, @Nullable EventTrace trace) {
            this.violation = violation;
            this.events = run.world.steps();
            this.newStates = run.newStates;
            this.choices = run.world.choices.made();
            this.trace = trace == null ? List.of() : trace.lines();
        }
    }

    Simulation(ClientDriver.Factory factory, @Nullable DistinctStateCounter states) {
        this.factory = factory;
        this.states = states;
        EngineLogHandler.listen();
    }

    Outcome run(long seed) {
        return run(Configuration.of(seed), ChoiceSequence.seeded(seed), false);
    }

    Outcome run(Configuration configuration, int[] choices, boolean traced) {
        return run(configuration, ChoiceSequence.given(choices), traced);
    }

    private Outcome run(Configuration configuration, ChoiceSequence choices, boolean traced) {
        EventTrace trace = traced ? new EventTrace() : null;
        EngineLogHandler.listen();
        SimulationRun run = new SimulationRun(new World(configuration, choices, trace), factory, states);
        Violation violation = null;
        try {
            StepScheduler scheduler = new StepScheduler(run);
            scheduler.chaos();
            new QuiescenceCheck(run, scheduler).check();
        } catch (Violation e) {
            violation = e;
        } finally {
            run.threads.cancel();
        }
        return new Outcome(violation, run, trace);
    }
}
