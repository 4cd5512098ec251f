package io.hasp.conformance.faults;

import org.opentest4j.TestAbortedException;

/**
 * This machine lacks what a rule needs: a right, a tool, a newer Java. The rule is skipped, which says nothing about the
 * lock and is not held against the skips that an adopter pins.
 */
public final class EnvironmentMissingException extends TestAbortedException {
    private static final long serialVersionUID = 1L;

    /**
     * Skips the rule that is running.
     *
     * @param reason what is missing
     */
    public EnvironmentMissingException(String reason) {
        super(reason);
    }
}
