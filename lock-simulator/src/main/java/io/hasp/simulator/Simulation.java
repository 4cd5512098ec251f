package io.hasp.simulator;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs worlds. Thread-safe. */
final class Simulation {
    private final ClientDriver.Factory factory;
    private final @Nullable StateCount states;

    /** What one run came to. */
    static final class Outcome {
        final @Nullable Violation violation;
        final long events;
        final long newStates;
        final int[] choices;
        final List<String> trace;

        private Outcome(@Nullable Violation violation, World world, @Nullable Trace trace) {
            this.violation = violation;
            this.events = world.steps;
            this.newStates = world.newStates;
            this.choices = world.choices.made();
            this.trace = trace == null ? List.of() : trace.lines();
        }
    }

    Simulation(ClientDriver.Factory factory, @Nullable StateCount states) {
        this.factory = factory;
        this.states = states;
        EngineLog.listen();
    }

    Outcome run(long seed) {
        return run(Configuration.of(seed), Choices.seeded(seed), false);
    }

    Outcome run(Configuration configuration, int[] choices, boolean traced) {
        return run(configuration, Choices.given(choices), traced);
    }

    private Outcome run(Configuration configuration, Choices choices, boolean traced) {
        Trace trace = traced ? new Trace() : null;
        EngineLog.listen();
        World world = new World(configuration, choices, factory, trace, states);
        Violation violation = null;
        try {
            world.chaos();
            new Rest(world).check();
        } catch (Violation e) {
            violation = e;
        }
        return new Outcome(violation, world, trace);
    }
}
