package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.report.Guarantees.Guarantee;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedSubject;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Guarantees and speed of each lock in one row. */
final class GuaranteeTable {
    private static final int FIGURES = 2;

    private final ResultsDocument document;

    GuaranteeTable(ResultsDocument document) {
        this.document = document;
    }

    /** One lock. */
    record Row(String subject, String what, String service, String look, List<TableCell> cells) {
        String name() {
            return DisplayNames.marked(subject);
        }
    }

    List<String> headings() {
        return figures().stream()
                .map(each -> each.figure().title() + " (" + each.work().experiment() + ", "
                        + each.work().shape() + ")")
                .toList();
    }

    List<Row> rows() {
        return document.subjects().stream()
                .map(each -> new Row(
                        each.subject(), DisplayNames.subject(each.subject()), each.service(), each.role(), cells(each)))
                .toList();
    }

    private List<TableCell> cells(ReportedSubject subject) {
        List<Guarantee> found = document.guarantees().stream()
                .filter(each -> each.subject().equals(subject.subject()))
                .toList();
        boolean baseline = subject.is(ResultsDocument.BASELINE);
        Stream<TableCell> topics = GuaranteeTopic.ALL.stream().map(topic -> topic.cell(found, known(topic), baseline));
        Stream<TableCell> speed = figures().stream().map(each -> speed(each, subject.subject()));
        return Stream.of(topics, Stream.of(watched(subject.subject())), speed)
                .flatMap(each -> each)
                .toList();
    }

    /** Returns the number of the suite's tests of a topic, including those that were not run on this lock. */
    private int known(GuaranteeTopic topic) {
        return (int) document.guarantees().stream()
                .filter(each -> topic.ids().contains(each.id()))
                .map(Guarantee::rule)
                .distinct()
                .count();
    }

    private TableCell watched(String subject) {
        return document.watched(subject)
                .filter(seen -> seen.holds() > 0)
                .map(seen -> seen.violations() > 0
                        ? new TableCell(
                                "broken",
                                "✗",
                                DisplayNames.count(seen.violations()) + " violations in "
                                        + DisplayNames.count(seen.holds()) + " holds",
                                "")
                        : new TableCell("held", "✓", "0 / " + DisplayNames.count(seen.holds()), ""))
                .orElse(new TableCell("absent", "?", "not watched", ""));
    }

    private record Speed(ReportedWorkload work, ReportedMetric figure) {}

    private List<Speed> figures() {
        List<Speed> all = new ArrayList<>();
        document.workloads().stream()
                .limit(1)
                .forEach(work ->
                        work.metrics().stream().limit(FIGURES).forEach(figure -> all.add(new Speed(work, figure))));
        document.workloads().stream()
                .filter(work -> work.experiment().equals(Experiments.CONTENDED.name()))
                .max(Comparator.comparingLong(ReportedWorkload::holdMs))
                .ifPresent(work ->
                        work.metrics().stream().limit(FIGURES / 2).forEach(figure -> all.add(new Speed(work, figure))));
        return all.stream().distinct().toList();
    }

    private TableCell speed(Speed wanted, String subject) {
        return document.measurement(wanted.work(), wanted.figure(), subject)
                .map(found -> new TableCell(
                        "speed",
                        "",
                        DisplayNames.figure(found.median(), wanted.figure().unit()),
                        ""))
                .orElseGet(() -> new TableCell("absent", "", document.missing(wanted.work(), subject), ""));
    }
}
