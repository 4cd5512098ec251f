package io.hasp.conformance.rules.support;

/**
 * A call that has no answer long after its wait ended. That breaks a rule about outages, but no call returned a wrong
 * answer. Reports call the rule late, not broken.
 */
public final class LateAnswer extends AssertionError {
    private static final long serialVersionUID = 1;

    public LateAnswer(String message, Throwable cause) {
        super(message, cause);
    }
}
