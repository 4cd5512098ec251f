package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import io.hasp.evaluation.subject.Subject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The local hand-off of Hasp's locks, for which most peers have no match. The report mentions it beside each figure that owes to it, with
 * the figure of the same lock in strict order.
 */
final class HandOffNote {
    /** How much a lock is passed on within its process. */
    static final String BOUNDS = "up to 255 times or 20 ms in a row";

    private static final String STRICT = "-fifo";
    private static final List<String> EXPERIMENTS = List.of(Experiments.CONTENDED.name(), Experiments.PERMITS.name());

    private HandOffNote() {}

    /** Whether a lock is passed on within its process before other clients are served: Hasp's are, except in strict order. */
    static boolean handsOff(ResultsDocument document, String lock) {
        return !lock.endsWith(STRICT)
                && document.subjects().stream()
                        .anyMatch(each -> each.subject().equals(lock) && each.is(ResultsDocument.HASP));
    }

    /** Whether a figure of this work owes to that. */
    static boolean handsOff(ResultsDocument document, ReportedWorkload work, String lock) {
        return EXPERIMENTS.contains(work.experiment()) && handsOff(document, lock);
    }

    /** In a sentence; empty if hand-off does not matter. */
    static Optional<String> of(ResultsDocument document, ReportedWorkload work, ReportedMetric figure, String lock) {
        return handsOff(document, work, lock)
                ? Optional.of(
                        lock + " hands off within its process, " + BOUNDS + strict(document, work, figure, lock) + ".")
                : Optional.empty();
    }

    private static String strict(ResultsDocument document, ReportedWorkload work, ReportedMetric figure, String lock) {
        String strict = lock + STRICT;
        if (Stream.of(Subject.values()).noneMatch(each -> each.label().equals(strict))) {
            return "";
        }
        return "; " + strict + ", which does not, "
                + document.measurement(work, figure, strict)
                        .map(each ->
                                "has " + DisplayNames.spread(each.median(), each.low(), each.high(), figure.unit()))
                        .orElse("was not measured in this run");
    }
}
