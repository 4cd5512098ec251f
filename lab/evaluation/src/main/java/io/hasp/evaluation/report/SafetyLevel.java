package io.hasp.evaluation.report;

import io.hasp.evaluation.report.Guarantees.Outcome;
import java.util.List;

/** The safety of a lock, in the fewest steps that a choice needs; the safest first. */
enum SafetyLevel {
    SURVIVES_AND_FENCES("A majority has it on disk, and forgets nothing; a fencing token exposes a late writer"),
    SURVIVES("A majority has it on disk, and forgets nothing; no token exposes a late writer"),
    CLOCKS_AND_FENCES(
            "Survives the loss of a server, if clocks keep pace and none restarts empty; a token exposes a late writer"),
    CLOCKS("Survives the loss of a server, if clocks keep pace and none restarts empty; no token"),
    ON_DISK_AND_FENCES(
            "One server has it on disk, and only a failover may forget it; a fencing token exposes a late writer"),
    ON_DISK("One server has it on disk, and only a failover may forget it; no token exposes a late writer"),
    FENCES("One server keeps it, and may forget it; a fencing token exposes a late writer"),
    MAY_FORGET("One server keeps it, and may forget it; no token exposes a late writer"),
    BROKEN("Seen to let two in at once, or to break a rule about that"),
    /** No step of the scale: nothing is known. */
    UNTESTED("Not tested by the rules, so without a place on the scale of safety");

    private static final List<String> EXCLUSION = List.of("me1_", "me2_", "ow1_");

    private final String words;

    SafetyLevel(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    static SafetyLevel of(ResultsDocument document, String lock) {
        Guarantees guarantees = Guarantees.of(document);
        boolean violated =
                document.watched(lock).filter(seen -> seen.violations() > 0).isPresent();
        if (violated || EXCLUSION.stream().anyMatch(rule -> guarantees.has(lock, rule, Outcome.BROKEN))) {
            return BROKEN;
        }
        if (!EXCLUSION.stream().allMatch(rule -> guarantees.keeps(lock, rule))) {
            return UNTESTED;
        }
        boolean fences = guarantees.keeps(lock, "fe1_");
        return switch (Topology.of(document, lock)) {
            case ENSEMBLE -> fences ? SURVIVES_AND_FENCES : SURVIVES;
            case INDEPENDENT_SERVERS -> fences ? CLOCKS_AND_FENCES : CLOCKS;
            case DATABASE -> fences ? ON_DISK_AND_FENCES : ON_DISK;
            case ONE_SERVER, REPLICATED -> fences ? FENCES : MAY_FORGET;
        };
    }
}
