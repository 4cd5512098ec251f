package io.hasp.simulator;

/** What must hold does not. */
final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is broken, in a word: a schedule is shrunk as long as the same is broken. */
    final String rule;

    Violation(String rule, String message) {
        super(rule + ": " + message, null, false, false);
        this.rule = rule;
    }

    Violation(String rule, Throwable cause) {
        super(rule + ": " + cause, cause);
        this.rule = rule;
    }
}
