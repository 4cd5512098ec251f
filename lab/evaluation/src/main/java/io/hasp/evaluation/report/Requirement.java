package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.Metric;
import io.hasp.evaluation.report.Guarantees.Outcome;
import java.util.List;

/** One condition of a need. All locks are judged alike: a rule of the suite that was not tested on a lock counts as not kept. */
@FunctionalInterface
interface Requirement {
    /**
     * Judges a lock.
     *
     * @param run the figures of the run
     * @param guarantees the outcomes of the suite
     * @param lock its name
     */
    boolean isMetBy(ResultsDocument run, Guarantees guarantees, String lock);

    /** The suite found that the lock keeps the rules, given by the beginning of their tests' names. */
    static Requirement keeps(String... rules) {
        return (run, guarantees, lock) -> List.of(rules).stream().allMatch(rule -> guarantees.keeps(lock, rule));
    }

    /**
     * A lock is free again after its holder's process died. The suite has two tests of that, and one that was kept is enough: it kills the
     * process (LI1), or it lets an unrenewed lease end (LE1). None of them may be broken.
     */
    static Requirement freeAfterACrash() {
        List<String> rules = List.of("li1_", "le1_");
        return (run, guarantees, lock) -> rules.stream().anyMatch(rule -> guarantees.keeps(lock, rule))
                && rules.stream()
                        .noneMatch(rule ->
                                guarantees.has(lock, rule, Outcome.BROKEN) || guarantees.has(lock, rule, Outcome.LATE));
    }

    /** The lock is on servers of one kind, as {@link Topology#servers} names it. */
    static Requirement on(String servers) {
        return (run, guarantees, lock) -> Topology.of(run, lock).servers().equals(servers);
    }

    /** One Redis is enough for the lock, with replicas or without. */
    static Requirement onOneRedis() {
        return (run, guarantees, lock) ->
                List.of(Topology.ONE_SERVER, Topology.REPLICATED).contains(Topology.of(run, lock));
    }

    /** Servers that agree on every write keep the lock: a lost or restarted one forgets nothing. */
    static Requirement forgetsNothing() {
        return (run, guarantees, lock) -> Topology.of(run, lock) == Topology.ENSEMBLE;
    }

    /** No thread of the holder's process overtakes an earlier one of another process. */
    static Requirement servesThreadsInOrder() {
        return (run, guarantees, lock) -> !LocalHandOff.of(run, lock);
    }

    /** No violation of safety was seen in this run. */
    static Requirement safeInThisRun() {
        return (run, guarantees, lock) ->
                run.watched(lock).filter(seen -> seen.violations() > 0).isEmpty();
    }

    /** No two clients held the lock at once when a server was killed in this run. */
    static Requirement safeThroughFailover() {
        List<String> violations = List.of(Metric.OVERLAPS.label(), Metric.STALE_TOKENS.label());
        return (run, guarantees, lock) -> run.measurements().stream()
                .noneMatch(each -> each.subject().equals(lock)
                        && each.experiment().equals(Experiments.FAILOVER.name())
                        && violations.contains(each.metric())
                        && each.high() > 0);
    }
}
