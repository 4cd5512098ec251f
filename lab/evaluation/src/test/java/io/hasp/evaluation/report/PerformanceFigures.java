package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedSubject;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import io.hasp.evaluation.subject.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables of a published set of results in docs/performance.md: the run, the figures of each lock, and the ratios of Hasp's to the others. */
final class PerformanceFigures {
    private final ResultsDocument document;
    private final String folder;

    /**
     * Of a set.
     *
     * @param folder where it is, from the root of the repository
     */
    PerformanceFigures(ResultsDocument document, String folder) {
        this.document = document;
        this.folder = folder;
    }

    /** A column: the workload, its first figure, and what a heading calls it. */
    private record Column(ReportedWorkload work, String heading) {
        ReportedMetric figure() {
            return work.metrics().get(0);
        }
    }

    /**
     * A table for each of some experiments, with a row for each lock and a column for each workload.
     *
     * @param names an experiment and a metric each, such as {@code waiters/turn}
     */
    String curves(List<String> names) {
        return Stream.concat(Stream.of(run()), names.stream().map(this::curve))
                .collect(Collectors.joining("\n\n", "", "\n"));
    }

    private String curve(String name) {
        String[] parts = name.split("/");
        List<ReportedWorkload> points = document.workloads().stream()
                .filter(each -> each.experiment().equals(parts[0]))
                .toList();
        ReportedWorkload last = points.get(points.size() - 1);
        ReportedMetric figure = last.metrics().stream()
                .filter(each -> each.metric().equals(parts[1]))
                .findFirst()
                .orElseThrow();
        List<List<String>> rows = document.subjects().stream()
                .map(lock -> Stream.concat(
                                Stream.of("`" + lock.subject() + "`"),
                                points.stream().map(work -> figure(new Column(work, ""), figure, lock.subject())))
                        .toList())
                .filter(row -> row.stream().skip(1).anyMatch(cell -> !cell.isEmpty()))
                .toList();
        List<String> headings = Stream.concat(Stream.of("lock"), points.stream().map(PerformanceFigures::place))
                .toList();
        String by = last.isOnACurve()
                ? ", by " + last.axis() + (last.axisUnit().isEmpty() ? "" : " (" + last.axisUnit() + ")")
                : "";
        String title = "*" + DisplayNames.capital(parts[0]) + "*: " + figure.title() + by + ".";
        return title + "\n\n" + String.join("\n", table(headings, rows));
    }

    private static String place(ReportedWorkload work) {
        if (!work.isOnACurve()) {
            return work.shape();
        }
        return work.at() == 0 ? "0" : NumberText.number(work.at());
    }

    String text() {
        return Stream.of(
                        List.of(run(), ""),
                        table(
                                figureHeadings(),
                                document.subjects().stream().map(this::figures).toList()),
                        Stream.concat(
                                        failures().stream().flatMap(each -> Stream.of("", each)),
                                        Stream.of("", RATIOS, ""))
                                .toList(),
                        table(ratioHeadings(), ratios()))
                .flatMap(List::stream)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static final String RATIOS =
            "Speed-up of Hasp over each other lock (interquartile mean of per-round ratios; below 1, Hasp was slower). Strict order between"
                    + " threads is compared with strict order. In brackets the " + Difference.INTERVAL
                    + ": where it includes 1, no difference is shown.";

    private String run() {
        int forks = (int) document.measurements().stream()
                .flatMap(each -> each.forks().stream())
                .distinct()
                .count();
        String versions = document.machine().versions().entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue())
                .sorted()
                .collect(Collectors.joining(", "));
        return "One run of `" + document.run().command().replaceFirst(" --out \\S+", "") + "` on "
                + document.machine().date().substring(0, 10) + ", commit "
                + document.run().commit() + ", in "
                + Math.round(document.run().seconds() / 60.0) + " minutes: " + times(document.rounds(), "round")
                + " in "
                + times(forks, "fork") + ", " + document.machine().cores() + " cores ("
                + document.machine().cpu() + "), Java "
                + document.machine().java() + ", " + versions + ". All figures: [" + folder + "]("
                + folder.replaceFirst("^docs/", "")
                + "). Each figure is the median of the rounds: a time is the median of its cycles or hand-offs, the others are per second.";
    }

    private static String times(int number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    private List<Column> columns() {
        List<Column> columns = new ArrayList<>();
        add(columns, Experiments.UNCONTENDED.name(), 1, 1, 0, "uncontended p50");
        add(columns, Experiments.DISTINCT.name(), 1, 16, 0, "16 names, 16 threads");
        add(columns, Experiments.DISTINCT.name(), 1, 64, 0, "64 names, 64 threads");
        add(columns, Experiments.CONTENDED.name(), 1, 16, 0, "one name, 16 threads");
        add(columns, Experiments.CONTENDED.name(), 1, 16, 1, "… hold 1 ms");
        add(columns, Experiments.HANDOFF.name(), 4, 1, 0, "from one of 4 processes to the next");
        add(columns, Experiments.READ_MOSTLY.name(), 1, 16, 0, "read-mostly, 16 threads");
        add(columns, Experiments.PERMITS.name(), 1, 16, 0, "permits, 16 threads");
        return columns;
    }

    private void add(List<Column> columns, String experiment, int processes, int threads, long hold, String heading) {
        document.workloads().stream()
                .filter(each -> each.matches(experiment, processes, threads, hold, 0))
                .findFirst()
                .ifPresent(work -> columns.add(new Column(work, heading)));
    }

    private List<String> figureHeadings() {
        return Stream.concat(Stream.of("lock", "on"), columns().stream().map(Column::heading))
                .toList();
    }

    private List<String> figures(ReportedSubject lock) {
        return Stream.concat(
                        Stream.of("`" + lock.subject() + "`", lock.service()),
                        columns().stream().map(column -> figure(column, lock.subject())))
                .toList();
    }

    private String figure(Column column, String lock) {
        return figure(column, column.figure(), lock);
    }

    private String figure(Column column, ReportedMetric figure, String lock) {
        if (document.failure(column.work(), lock).isPresent()) {
            return "failed";
        }
        return document.measurement(column.work(), figure, lock)
                .map(found -> DisplayNames.figure(found.median(), figure.unit()).replace(" per second", ""))
                .orElse("");
    }

    private List<String> failures() {
        return document.failures().stream()
                .map(each -> "Failed: `" + each.subject() + "` at " + each.experiment() + " ("
                        + DisplayNames.in(each.experiment(), each.subject()) + "): " + each.why() + ".")
                .toList();
    }

    private List<String> ratioHeadings() {
        return Stream.concat(Stream.of("Hasp", "against"), columns().stream().map(Column::heading))
                .toList();
    }

    private List<List<String>> ratios() {
        List<List<String>> rows = new ArrayList<>();
        for (ReportedSubject hasp : document.subjects()) {
            for (ReportedSubject other : document.subjects()) {
                if (hasp.is(ResultsDocument.HASP)
                        && other.service().equals(hasp.service())
                        && !other.is(ResultsDocument.HASP)
                        && Subject.isStrict(hasp.subject()) == Subject.isStrict(other.subject())) {
                    List<String> cells = columns().stream()
                            .map(column -> ratio(column, hasp.subject(), other.subject()))
                            .toList();
                    if (cells.stream().anyMatch(cell -> !cell.isEmpty())) {
                        rows.add(Stream.concat(
                                        Stream.of("`" + hasp.subject() + "`", "`" + other.subject() + "`"),
                                        cells.stream())
                                .toList());
                    }
                }
            }
        }
        return rows;
    }

    private String ratio(Column column, String hasp, String other) {
        boolean baseline = document.subjects().stream()
                .anyMatch(each -> each.subject().equals(other) && each.is(ResultsDocument.BASELINE));
        boolean queues = !Map.of(Experiments.UNCONTENDED.name(), 1, Experiments.DISTINCT.name(), 1)
                .containsKey(column.work().experiment());
        if (document.failure(column.work(), hasp)
                .or(() -> document.failure(column.work(), other))
                .isPresent()) {
            return document.ratio(column.work(), column.figure(), hasp, other).isPresent() ? "failed" : "";
        }
        Optional<String> found = document.ratio(column.work(), column.figure(), hasp, other)
                .map(each -> NumberText.spread(each).substring(1));
        return baseline && queues ? "" : found.orElse("");
    }

    private static List<String> table(List<String> headings, List<List<String>> rows) {
        return Stream.of(
                        Stream.of(line(headings), "|" + "---|".repeat(headings.size())),
                        rows.stream().map(PerformanceFigures::line))
                .flatMap(each -> each)
                .toList();
    }

    private static String line(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }
}
