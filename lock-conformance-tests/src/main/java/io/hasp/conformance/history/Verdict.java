package io.hasp.conformance.history;

import java.util.List;

/** The result of a check of a history. Checks find violations; they never prove that there is none. */
public sealed interface Verdict {

    /**
     * In words.
     *
     * @return one line, for a violation several
     */
    String report();

    /**
     * Ends a test that needs a sound history.
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
     * @param checks what was looked for
     * @param grants in how many grants
     */
    record Sound(List<String> checks, long grants) implements Verdict {
        @Override
        public String report() {
            return "no violation in " + grants + " grants: " + String.join("; ", checks);
        }
    }

    /**
     * A violation, with the events that show it.
     *
     * @param check what was demanded
     * @param lock of which lock
     * @param what what happened instead
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
     * @param check what was demanded
     * @param lock of which lock
     * @param why why it was given up
     */
    record Undecided(String check, String lock, String why) implements Verdict {
        @Override
        public String report() {
            return "undecided: " + check + "\n" + lock + ": " + why;
        }
    }
}
