package io.hasp.conformance.history;

import java.util.List;
import java.util.Optional;

/** One thing that must be true of what happened to a lock. The checks there are: {@link Checks}. Immutable. */
public final class Check {

    /** Looks for a violation in what happened to one lock. */
    @FunctionalInterface
    interface Rule {
        Optional<Finding> find(LockHistory lock);
    }

    /** What was found and the events that show it; without events, the search was given up. */
    record Finding(String what, List<Event> shown) {}

    private final String name;
    private final Rule rule;

    Check(String name, Rule rule) {
        this.name = name;
        this.rule = rule;
    }

    /**
     * What it demands, in a few words.
     *
     * @return such as {@code "no two clients hold it at once"}
     */
    public String name() {
        return name;
    }

    Optional<Verdict> on(LockHistory lock) {
        return rule.find(lock)
                .map(found -> found.shown().isEmpty()
                        ? new Verdict.Undecided(name, lock.lock(), found.what())
                        : new Verdict.Broken(
                                name, lock.lock(), found.what(), Timeline.around(lock.events(), found.shown())));
    }

    @Override
    public String toString() {
        return name;
    }
}
