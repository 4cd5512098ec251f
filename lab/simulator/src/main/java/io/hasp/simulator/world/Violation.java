package io.hasp.simulator.world;

/** A rule of the simulator is broken. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The name of the rule. A schedule is shrunk as long as it breaks the same rule. */
    public final String rule;

    public Violation(String rule, String message) {
        super(rule + ": " + message, null, false, false);
        this.rule = rule;
    }

    public Violation(String rule, Throwable cause) {
        super(rule + ": " + cause, cause);
        this.rule = rule;
    }
}
