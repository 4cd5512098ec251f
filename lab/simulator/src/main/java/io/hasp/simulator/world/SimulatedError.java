package io.hasp.simulator.world;

/** An error in the middle of a client: in a step of its machine, in a call of its backend, or as an answer. */
public final class SimulatedError extends Error {
    private static final long serialVersionUID = 1L;

    /** One error. */
    public SimulatedError() {
        super("simulated");
    }
}
