package io.hasp.conformance.rules.support;

/**
 * A caller has no answer long after its wait ended. That breaks a rule about outages, but nobody was told anything wrong: reports call
 * it late, not broken.
 */
public final class LateAnswer extends AssertionError {
    private static final long serialVersionUID = 1;

    public LateAnswer(String message, Throwable cause) {
        super(message, cause);
    }
}
