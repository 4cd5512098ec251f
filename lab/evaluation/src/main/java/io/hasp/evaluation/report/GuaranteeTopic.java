package io.hasp.evaluation.report;

import io.hasp.evaluation.report.Guarantees.Guarantee;
import io.hasp.evaluation.report.Guarantees.Outcome;
import java.util.List;
import java.util.Locale;

/**
 * A guarantee that users of locks need, as the page shows it.
 *
 * @param title in words
 * @param ids the rules of SPEC.md about it
 */
record GuaranteeTopic(String title, List<String> ids) {
    /** All, in the order of the columns. */
    static final List<GuaranteeTopic> ALL = List.of(
            new GuaranteeTopic("one holder at a time", List.of("ME1", "ME2", "OW1", "OW2")),
            new GuaranteeTopic("a paused holder", List.of("LE8", "ME3", "FE6")),
            new GuaranteeTopic("fencing token", List.of("FE1", "FE2", "FE3", "FE4", "FE5")),
            new GuaranteeTopic("first come, first served between clients", List.of("LI6")),
            new GuaranteeTopic("free after a crash", List.of("LI1", "LE1", "LI9")),
            new GuaranteeTopic("kept while in use", List.of("LE2", "LE4")),
            new GuaranteeTopic("no outage called “busy”", List.of("FA11", "FA5", "FA6")),
            new GuaranteeTopic("waits end, wake and clean up", List.of("AP1", "AP2", "LI3", "LI5")));

    String first() {
        return ids.get(0).toLowerCase(Locale.ROOT);
    }

    String rules() {
        return String.join(", ", ids);
    }

    /**
     * Returns the suite's result for one lock. Only a lock that kept all of it gets the mark; tests that were not run
     * are counted.
     *
     * @param ofLock the lock's results
     * @param known the number of tests of the topic
     * @param baseline true for a baseline, which has no guarantees to check
     */
    TableCell cell(List<Guarantee> ofLock, int known, boolean baseline) {
        List<Guarantee> all =
                ofLock.stream().filter(each -> ids.contains(each.id())).toList();
        long held = count(all, Outcome.HELD);
        long broken = count(all, Outcome.BROKEN);
        long late = count(all, Outcome.LATE);
        long tested = held + broken + late;
        long notOffered = count(all, Outcome.NOT_OFFERED);
        long notTested = known - tested - notOffered;
        Outcome worst = broken > 0 ? Outcome.BROKEN : Outcome.LATE;
        String link = all.stream()
                .filter(each -> broken + late == 0 || each.outcome() == worst)
                .map(each -> each.id().toLowerCase(Locale.ROOT))
                .findFirst()
                .orElse(first());
        String gaps = words(notOffered, "not offered") + words(notTested, "not tested");
        if (broken > 0) {
            return new TableCell("broken", "✗", broken + " / " + tested + words(late, "late") + gaps, link);
        }
        if (late > 0) {
            return new TableCell("late", "◔", late + " late / " + tested + gaps, link);
        }
        if (held > 0) {
            return held == known
                    ? new TableCell("held", "✓", "0 / " + tested, link)
                    : new TableCell(
                            "partly", "◐", held + " of " + known + " tested" + words(notOffered, "not offered"), link);
        }
        if (notOffered > 0) {
            return new TableCell("absent", "–", "not offered" + words(notTested, "not tested"), link);
        }
        return baseline
                ? new TableCell("absent", "", "no lock to use", "")
                : new TableCell("absent", "?", "not tested", link);
    }

    private static String words(long number, String words) {
        return number > 0 ? ", " + number + " " + words : "";
    }

    private static long count(List<Guarantee> among, Outcome outcome) {
        return among.stream().filter(each -> each.outcome() == outcome).count();
    }
}
