package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import io.hasp.evaluation.subject.Subject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a figure of one of Hasp's locks owes to an option that its peers have no match for. It is told where the figure is, with the
 * same figure without that option.
 *
 * @param suffix of the name of the lock without it
 * @param words what it is
 * @param experiments where it matters
 */
record OptionNote(String suffix, String words, List<String> experiments) {
    private static final List<OptionNote> ALL = List.of(
            new OptionNote(
                    "-nohandoff",
                    "passes a lock on within its process",
                    Stream.of(Experiments.CONTENDED, Experiments.READ_MOSTLY, Experiments.PERMITS)
                            .map(Object::toString)
                            .toList()),
            new OptionNote(
                    "-nospin",
                    "has its thread look for replies before it sleeps",
                    List.of(Experiments.UNCONTENDED.name())));

    /** In a sentence; empty if no option matters. */
    static Optional<String> of(ResultsDocument document, ReportedWorkload work, ReportedMetric figure, String lock) {
        return ALL.stream()
                .filter(note -> note.experiments.contains(work.experiment()))
                .filter(note -> Stream.of(Subject.values())
                        .anyMatch(each -> each.label().equals(lock + note.suffix)))
                .findFirst()
                .map(note -> note.sentence(document, work, figure, lock));
    }

    private String sentence(ResultsDocument document, ReportedWorkload work, ReportedMetric figure, String lock) {
        String without = lock + suffix;
        return document.measurement(work, figure, without)
                .map(found -> lock + " " + words + "; " + without + ", which does not, has "
                        + DisplayNames.spread(found.median(), found.low(), found.high(), figure.unit()) + ".")
                .orElse(lock + " " + words + "; " + without + ", which does not, was not measured in this run.");
    }
}
