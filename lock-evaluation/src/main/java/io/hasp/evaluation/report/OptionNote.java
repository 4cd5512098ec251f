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
 * @param suffixes of the names of the lock without it
 * @param words what it is
 * @param experiments where it matters
 */
record OptionNote(List<String> suffixes, String words, List<String> experiments) {
    /** How much a lock is passed on within its process, by default. */
    static final String BOUNDS = "up to 255 times or 20 ms in a row";

    private static final OptionNote HAND_OFF = new OptionNote(
            List.of("-nohandoff", "-fifo"),
            "hands off within its process, " + BOUNDS,
            List.of(Experiments.CONTENDED.name(), Experiments.PERMITS.name()));

    private static final List<OptionNote> ALL = List.of(
            HAND_OFF,
            new OptionNote(
                    List.of("-nospin"),
                    "has its thread look for replies before it sleeps",
                    List.of(Experiments.UNCONTENDED.name())));

    /** Whether a lock is passed on within its process before other clients are served: Hasp's are, unless an option says otherwise. */
    static boolean handsOff(ResultsDocument document, String lock) {
        return HAND_OFF.suffixes.stream().noneMatch(lock::endsWith)
                && document.subjects().stream()
                        .anyMatch(each -> each.subject().equals(lock) && each.is(ResultsDocument.HASP));
    }

    /** Whether a figure of this work owes to that. */
    static boolean handsOff(ResultsDocument document, ReportedWorkload work, String lock) {
        return HAND_OFF.experiments.contains(work.experiment()) && handsOff(document, lock);
    }

    /** In a sentence; empty if no option matters. */
    static Optional<String> of(ResultsDocument document, ReportedWorkload work, ReportedMetric figure, String lock) {
        return ALL.stream()
                .filter(note -> note.experiments.contains(work.experiment()))
                .filter(note -> note.without(lock).findAny().isPresent())
                .findFirst()
                .map(note -> note.sentence(document, work, figure, lock));
    }

    private Stream<String> without(String lock) {
        return suffixes.stream()
                .map(suffix -> lock + suffix)
                .filter(name -> Stream.of(Subject.values())
                        .anyMatch(each -> each.label().equals(name)));
    }

    private String sentence(ResultsDocument document, ReportedWorkload work, ReportedMetric figure, String lock) {
        List<String> found = without(lock)
                .flatMap(name -> document.measurement(work, figure, name).stream())
                .map(each -> each.subject() + ", which does not, has "
                        + DisplayNames.spread(each.median(), each.low(), each.high(), figure.unit()))
                .toList();
        String first = without(lock).findFirst().orElse(lock);
        return lock + " " + words + "; "
                + (found.isEmpty()
                        ? first + ", which does not, was not measured in this run"
                        : DisplayNames.list(found))
                + ".";
    }
}
