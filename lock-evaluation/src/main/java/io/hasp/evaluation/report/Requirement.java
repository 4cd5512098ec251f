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
 * What a need asks of a lock. One rule for all locks: a rule of the suite that was not tested on a lock counts as not kept.
 *
 * @param words what it is, after "that"
 * @param rules which tests of the suite answer it, by the beginning of their names
 * @param test tells why a lock does not meet it
 */
record Requirement(String words, List<String> rules, Test test) {
    private static final Map<String, String> WORDS = Map.of(
            "ME1", "has one holder at a time (ME1)",
            "ME2", "admits only one of several that ask at once (ME2)",
            "OW1", "is released by its owner only (OW1)",
            "FE1", "gives fencing tokens in order (FE1)",
            "FE2", "gives a larger token after an expiry or a restart (FE2)",
            "LI6", "serves waiting clients in the order in which they asked, and starves none (LI6)");

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

    /** The suite found that the lock keeps the rule. */
    static Requirement keeps(String rule) {
        return keeps(rule, WORDS.getOrDefault(Guarantees.idOf(rule), "keeps " + Guarantees.idOf(rule)));
    }

    /** None of many waiters starves, in whatever order they are served. */
    static Requirement starvesNone() {
        return keeps("li6_none", "starves none of fifty waiters (a test of LI6)");
    }

    private static Requirement keeps(String rule, String words) {
        return new Requirement(
                words,
                List.of(rule),
                (run, guarantees, lock) ->
                        guarantees.keeps(lock, rule) ? Optional.empty() : Optional.of(why(guarantees, lock, rule)));
    }

    /**
     * Its locks are free again after its process died. The suite has two tests of that, and one that was kept is enough: it kills the
     * process (LI1), or it lets a lease end that nobody renews (LE1). None of them may be broken.
     */
    static Requirement freeAfterACrash() {
        List<String> rules = List.of("li1_", "le1_");
        return new Requirement("is free after a crash (LI1 or LE1)", rules, (run, guarantees, lock) -> {
            List<String> missed =
                    rules.stream().filter(rule -> !guarantees.keeps(lock, rule)).toList();
            Stream<String> violated = missed.stream()
                    .filter(rule ->
                            guarantees.has(lock, rule, Outcome.BROKEN) || guarantees.has(lock, rule, Outcome.LATE));
            Optional<String> broken = violated.findFirst().map(rule -> why(guarantees, lock, rule));
            return missed.size() < rules.size() || broken.isPresent()
                    ? broken
                    : Optional.of("nothing shows that it is free after a crash: "
                            + DisplayNames.list(missed.stream()
                                    .map(rule -> Guarantees.idOf(rule)
                                            + (guarantees.has(lock, rule, Outcome.NOT_OFFERED)
                                                    ? " is not offered"
                                                    : " was not tested"))
                                    .toList()));
        });
    }

    /** One Redis is all that it needs, with replicas or without. */
    static Requirement onOneRedis() {
        return new Requirement("is on one Redis", List.of(), (run, guarantees, lock) -> {
            Topology topology = Topology.of(run, lock);
            return topology == Topology.ONE_SERVER || topology == Topology.REPLICATED
                    ? Optional.empty()
                    : Optional.of("is not on one Redis");
        });
    }

    /** Servers that agree on every write keep the lock: a lost or restarted one forgets nothing. */
    static Requirement forgetsNothing() {
        return new Requirement(
                "is on the disks of a majority", List.of(), (run, guarantees, lock) -> switch (Topology.of(run, lock)) {
                    case ENSEMBLE -> Optional.empty();
                    case ONE_SERVER -> Optional.of("one server keeps it");
                    case REPLICATED -> Optional.of("a failover may forget it");
                    case INDEPENDENT_SERVERS ->
                        Optional.of(
                                "it relies on the servers' clocks, and a server that restarts without its data forgets it");
                });
    }

    /** No thread that came later is served first, because both are of one process. */
    static Requirement servesThreadsInOrder() {
        return new Requirement(
                "hands nothing off within a process out of turn",
                List.of(),
                (run, guarantees, lock) -> HandOffNote.handsOff(run, lock)
                        ? Optional.of(
                                "threads of the holder's process may overtake others (" + HandOffNote.BOUNDS + ")")
                        : Optional.empty());
    }

    /** No violation of safety was seen in this run. */
    static Requirement safeInThisRun() {
        return new Requirement(
                "was safe in this run",
                List.of(),
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
                "was not held twice when a server was killed (only a run with failover asks that)",
                List.of(),
                (run, guarantees, lock) -> run.measurements().stream()
                        .filter(each -> each.subject().equals(lock)
                                && each.experiment().equals(Experiments.FAILOVER.name())
                                && violations.contains(each.metric())
                                && each.high() > 0)
                        .findFirst()
                        .map(each -> "two held it at once when a server was killed in this run"));
    }

    /** Which of its rules the suite did not test on a lock that meets it all the same; in words, empty if there is none. */
    String untested(Guarantees guarantees, String lock) {
        return rules.stream()
                .filter(rule -> !guarantees.keeps(lock, rule) && !guarantees.has(lock, rule, Outcome.NOT_OFFERED))
                .map(Guarantees::idOf)
                .collect(Collectors.joining(", "));
    }

    private static String why(Guarantees guarantees, String lock, String rule) {
        String id = Guarantees.idOf(rule);
        if (guarantees.of(lock).isEmpty()) {
            return "the suite has not tested it";
        }
        if (guarantees.has(lock, rule, Outcome.BROKEN)) {
            return "breaks " + id;
        }
        if (guarantees.has(lock, rule, Outcome.LATE)) {
            return "answers too late for " + id;
        }
        boolean partly = guarantees.has(lock, rule, Outcome.HELD);
        return guarantees.has(lock, rule, Outcome.NOT_OFFERED)
                ? "does not offer " + (partly ? "all of " : "") + id
                : partly ? "not all of " + id + " was tested on it" : id + " was not tested on it";
    }
}
