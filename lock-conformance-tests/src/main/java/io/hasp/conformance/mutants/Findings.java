package io.hasp.conformance.mutants;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.hasp.conformance.Timings;

/** Applies rules to broken locks. Stateless. */
public final class Findings {
    private Findings() {}

    /** A rule of the suite, bound to a lock. */
    public interface Rule {
        /**
         * Runs the rule.
         *
         * @throws Exception if the lock, or a server, fails
         */
        void run() throws Exception;
    }

    /**
     * Checks that a lock breaks a rule.
     *
     * @param rule run once, within a time limit
     * @param inItsWords a part of the rule's message
     */
    public static void broken(Rule rule, String inItsWords) {
        assertThatThrownBy(() -> held(rule))
                .as("a rule that a broken lock must break")
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(inItsWords);
    }

    /**
     * Checks that a lock keeps a rule.
     *
     * @param rule run once, within a time limit
     */
    public static void held(Rule rule) {
        assertTimeoutPreemptively(Timings.longWait().multipliedBy(3), rule::run);
    }
}
