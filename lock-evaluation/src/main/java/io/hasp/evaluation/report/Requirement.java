package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.Metric;
import io.hasp.evaluation.report.Guarantees.Outcome;
import io.hasp.evaluation.report.ResultsDocument.ReportedSafety;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a need asks of a lock.
 *
 * @param words what it is, after "that"
 * @param test tells why a lock does not meet it
 */
record Requirement(String words, Test test) {
    private static final Map<String, String> WORDS = Map.of(
            "FE1", "gives fencing tokens in order (FE1)",
            "FE2", "gives a larger token after an expiry or a restart (FE2)",
            "LI6", "is known to serve waiters in order and to starve none (LI6)");

    /** Why a lock does not meet it. */
    @FunctionalInterface
    interface Test {
        /**
         * Why a lock does not meet it.
         *
         * @param run what was measured
         * @param guarantees what the suite found
         * @param lock its name
         * @return words for a list; empty if the lock meets it
         */
        Optional<String> objection(ResultsDocument run, Guarantees guarantees, String lock);
    }

    Optional<String> objection(ResultsDocument run, Guarantees guarantees, String lock) {
        return test.objection(run, guarantees, lock);
    }

    /** The suite found that the lock keeps the rule; a rule that could not be tested counts as not kept. */
    static Requirement keeps(String rule) {
        return new Requirement(
                WORDS.getOrDefault(Guarantees.idOf(rule), "keeps " + Guarantees.idOf(rule)),
                (run, guarantees, lock) ->
                        guarantees.keeps(lock, rule) ? Optional.empty() : Optional.of(why(guarantees, lock, rule)));
    }

    /** One rule is kept and none of them is broken. */
    static Requirement keepsOneOf(String... rules) {
        return new Requirement("keeps one of " + ids(rules), (run, guarantees, lock) -> {
            boolean met = Stream.of(rules).anyMatch(rule -> guarantees.keeps(lock, rule))
                    && Stream.of(rules)
                            .noneMatch(rule -> guarantees.has(lock, rule, Outcome.BROKEN)
                                    || guarantees.has(lock, rule, Outcome.LATE));
            return Stream.of(rules)
                    .filter(rule -> !met && !guarantees.keeps(lock, rule))
                    .findFirst()
                    .map(rule -> why(guarantees, lock, rule));
        });
    }

    /** A lost server does not lose the lock. */
    static Requirement survivesAServer() {
        return new Requirement("keeps a lock when one server is lost", (run, guarantees, lock) -> {
            Topology topology = Topology.of(run, lock);
            if (topology.survivesAServer()) {
                return Optional.empty();
            }
            return Optional.of(topology == Topology.REPLICATED ? "a failover may forget it" : "one server keeps it");
        });
    }

    /** No violation of safety was seen in this run. */
    static Requirement safeInThisRun() {
        return new Requirement(
                "was safe in this run",
                (run, guarantees, lock) -> run.watched(lock)
                        .map(ReportedSafety::violations)
                        .filter(violations -> violations > 0)
                        .map(violations ->
                                "SAFETY VIOLATED in this run, " + DisplayNames.count(violations) + " times"));
    }

    /** No two clients held it at once when a server was killed in this run. */
    static Requirement safeThroughFailover() {
        List<String> violations = List.of(Metric.OVERLAPS.label(), Metric.STALE_TOKENS.label());
        return new Requirement(
                "was safe when a server was killed",
                (run, guarantees, lock) -> run.measurements().stream()
                        .filter(each -> each.subject().equals(lock)
                                && each.experiment().equals(Experiments.FAILOVER.name())
                                && violations.contains(each.metric())
                                && each.high() > 0)
                        .findFirst()
                        .map(each -> "two held it at once when a server was killed in this run"));
    }

    private static String ids(String... rules) {
        return Stream.of(rules).map(Guarantees::idOf).collect(Collectors.joining(", "));
    }

    private static String why(Guarantees guarantees, String lock, String rule) {
        String id = Guarantees.idOf(rule);
        if (guarantees.has(lock, rule, Outcome.BROKEN)) {
            return "breaks " + id;
        }
        if (guarantees.has(lock, rule, Outcome.LATE)) {
            return "answers too late for " + id;
        }
        return guarantees.has(lock, rule, Outcome.NOT_OFFERED) ? "does not offer " + id : id + " was not tested on it";
    }
}
