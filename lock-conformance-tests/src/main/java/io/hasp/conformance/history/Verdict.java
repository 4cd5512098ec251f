package io.hasp.conformance.history;

import java.util.List;

/** The result of a check of a history. Checks find violations; they never prove that there is none. */
public sealed interface Verdict {

    /**
     * Describes the verdict.
     *
     * @return one line, for a violation several
     */
    String report();

    /**
     * Fails a test that needs a sound history.
     *
     * @throws AssertionError with the report, if this is not {@link Sound}
     */
    default void orThrow() {
        if (!(this instanceof Sound)) {
            throw new AssertionError(report());
        }
    }

    /**
     * No violation was found.
     *
     * @param checks the applied checks
     * @param grants the number of grants
     */
    record Sound(List<String> checks, long grants) implements Verdict {
        @Override
        public String report() {
            return "no violation in " + grants + " grants: " + String.join("; ", checks);
        }
    }

    /**
     * A violation, with its events.
     *
     * @param check the demand
     * @param lock the lock
     * @param what the violation in words
     * @param timeline the events around it, readable
     */
    record Broken(String check, String lock, String what, String timeline) implements Verdict {
        @Override
        public String report() {
            return "broken: " + check + "\n" + lock + ": " + what + "\n" + timeline;
        }
    }

    /**
     * The search was given up.
     *
     * @param check the demand
     * @param lock the lock
     * @param why the reason
     */
    record Undecided(String check, String lock, String why) implements Verdict {
        @Override
        public String report() {
            return "undecided: " + check + "\n" + lock + ": " + why;
        }
    }
}
