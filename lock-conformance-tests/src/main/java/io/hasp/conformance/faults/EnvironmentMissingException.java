package io.hasp.conformance.faults;

import org.opentest4j.TestAbortedException;

/**
 * Thrown if this machine lacks something that a rule needs: a permission, a tool, a newer Java. The rule is skipped.
 * That is no result about the lock, and does not count against the adopter's pinned skips.
 */
public final class EnvironmentMissingException extends TestAbortedException {
    private static final long serialVersionUID = 1L;

    /**
     * Skips the running rule.
     *
     * @param reason the missing thing
     */
    public EnvironmentMissingException(String reason) {
        super(reason);
    }
}
