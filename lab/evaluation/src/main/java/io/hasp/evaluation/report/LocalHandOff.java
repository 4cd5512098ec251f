package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.util.List;

/** The hand-off of Hasp's locks within a process, for which most peers have no match. The page marks each figure that owes to it. */
final class LocalHandOff {
    /** The limit of hand-offs within a process. */
    static final String BOUNDS = "up to 255 times or 20 ms in a row";

    private static final String STRICT = "-fifo";
    private static final List<String> EXPERIMENTS = List.of(Experiments.CONTENDED.name(), Experiments.PERMITS.name());

    private LocalHandOff() {}

    /** True if a lock is passed on within its process before other clients are served: Hasp's are, except in strict order. */
    static boolean of(ResultsDocument document, String lock) {
        return !lock.endsWith(STRICT)
                && document.subjects().stream()
                        .anyMatch(each -> each.subject().equals(lock) && each.is(ResultsDocument.HASP));
    }

    /** True if a figure of this work owes to that. */
    static boolean of(ResultsDocument document, ReportedWorkload work, String lock) {
        return EXPERIMENTS.contains(work.experiment()) && of(document, lock);
    }
}
