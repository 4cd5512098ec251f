package io.hasp.evaluation.report;

import io.hasp.evaluation.report.Guarantees.Guarantee;
import io.hasp.evaluation.report.Guarantees.Outcome;
import java.util.List;

/** How much a lock is to be trusted, in the fewest steps that a choice needs; the safest first. */
enum SafetyLevel {
    SURVIVES_AND_TELLS("Survives the loss of a server; a fencing token tells a late writer"),
    SURVIVES("Survives the loss of a server; no token tells a late writer"),
    TELLS("One server keeps it, and may forget it; a fencing token tells a late writer"),
    MAY_FORGET("One server keeps it, and may forget it; no token tells a late writer"),
    UNTESTED("Not tested by the rules"),
    BROKEN("Seen to let two in at once, or to break a rule about that");

    private static final List<String> EXCLUSION = List.of("ME1", "ME2", "OW1");

    private final String words;

    SafetyLevel(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    static SafetyLevel of(ResultsDocument document, String lock) {
        List<Guarantee> found = document.guarantees().stream()
                .filter(each -> each.subject().equals(lock))
                .toList();
        boolean violated =
                document.watched(lock).filter(seen -> seen.violations() > 0).isPresent();
        if (violated || has(found, EXCLUSION, Outcome.BROKEN)) {
            return BROKEN;
        }
        if (!has(found, EXCLUSION, Outcome.HELD)) {
            return UNTESTED;
        }
        boolean tells = has(found, List.of("FE1"), Outcome.HELD) && !has(found, List.of("FE1"), Outcome.BROKEN);
        if (Topology.of(document, lock).survivesAServer()) {
            return tells ? SURVIVES_AND_TELLS : SURVIVES;
        }
        return tells ? TELLS : MAY_FORGET;
    }

    private static boolean has(List<Guarantee> found, List<String> rules, Outcome outcome) {
        return found.stream().anyMatch(each -> rules.contains(each.id()) && each.outcome() == outcome);
    }
}
