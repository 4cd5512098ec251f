package io.hasp.conformance.history;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A condition on the events of a lock. {@link Checks} has all of them. Immutable. */
public final class Check {

    /** Searches the events of one lock for violations, lazily. */
    @FunctionalInterface
    interface Rule {
        Stream<Finding> find(LockHistory lock);
    }

    /** Searches the events of one lock for one violation. */
    @FunctionalInterface
    interface SingleRule {
        Optional<Finding> find(LockHistory lock);
    }

    /** A violation and the events that show it; without events, the search was given up. */
    record Finding(String what, List<Event> shown) {}

    private final String name;
    private final Rule rule;
    private final Explanation explanation;

    Check(String name, Rule rule) {
        this(name, rule, (lock, from, to) -> "");
    }

    private Check(String name, Rule rule, Explanation explanation) {
        this.name = name;
        this.rule = rule;
        this.explanation = explanation;
    }

    static Check ofFirst(String name, SingleRule rule) {
        return new Check(name, lock -> rule.find(lock).stream());
    }

    /**
     * Returns this check with explanations from an observer's record.
     *
     * @param record the observer's record
     * @return a new check
     */
    public Check explainedBy(Explanation record) {
        return new Check(name, rule, record);
    }

    /**
     * Returns the demand of this check, in a few words.
     *
     * @return such as {@code "no two clients hold it at once"}
     */
    public String name() {
        return name;
    }

    Stream<Verdict> on(LockHistory lock) {
        return rule.find(lock).map(found -> verdict(lock, found));
    }

    private Verdict verdict(LockHistory lock, Finding found) {
        if (found.shown().isEmpty()) {
            return new Verdict.Undecided(name, lock.lock(), found.what());
        }
        long from = found.shown().stream().mapToLong(Event::at).min().orElseThrow();
        long to = found.shown().stream().mapToLong(Event::at).max().orElseThrow();
        String timeline = Timeline.around(lock.events(), found.shown());
        return new Verdict.Broken(
                name, lock.lock(), found.what(), timeline + explanation.around(lock.lock(), from, to));
    }

    @Override
    public String toString() {
        return name;
    }
}
