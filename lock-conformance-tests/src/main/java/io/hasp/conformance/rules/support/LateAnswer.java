package io.hasp.conformance.rules.support;

import java.util.concurrent.TimeoutException;

/**
 * A call that has no answer long after its wait ended. That breaks a rule about outages, but no call returned a wrong
 * answer. Reports call the rule late, not broken.
 */
public final class LateAnswer extends AssertionError {
    private static final long serialVersionUID = 1;

    public LateAnswer(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns true if a rule failed only because a call, a client process or the test did not end in time.
     *
     * @param failure of the test
     * @return false if there is a counter-example
     */
    public static boolean isReasonOf(Throwable failure) {
        Throwable reason = failure instanceof BrokenRule broken ? broken.reason : failure;
        return reason instanceof LateAnswer || reason instanceof TimeoutException;
    }
}
