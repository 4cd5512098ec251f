package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Failure;
import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.report.Guarantees.Outcome;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedSubject;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The data for {@code draw-charts.js} on the page: one chart for the first figure of each workload, and one per unit
 * for its other figures. A lock without a figure keeps its line, with the reason.
 */
final class ChartData {
    /** From this ratio of the largest to the smallest figure on, a linear axis hides the small ones. */
    private static final double WIDE = 8;

    private static final int LINE = 25;
    private static final int WIDE_LINE = 40;

    private final ResultsDocument document;

    ChartData(ResultsDocument document) {
        this.document = document;
    }

    /** One chart for the page's script. */
    record Spec(String id, String axis, boolean log, List<Line> lines, List<Series> series) {}

    /** One lock: its name with its marks, its part, and what to write if it has no point. */
    record Line(String label, String role, String note) {}

    record Series(String name, List<Point> points) {}

    record Point(int line, double median, double low, double high, int n, List<Double> rounds) {}

    /** A chart, and the same in figures. */
    record Panel(String heading, String what, String alternative, Spec spec, Table table) {
        String id() {
            return spec.id();
        }

        /** In pixels, without the axis: several points in a line need more room. */
        int height() {
            return spec.lines().size() * (several() ? WIDE_LINE : LINE);
        }

        boolean several() {
            return spec.series().size() > 1;
        }
    }

    record Table(List<String> headings, List<TableRow> rows) {}

    record TableRow(String subject, List<String> cells) {}

    /** All about one workload. */
    record Section(String id, String title, Panel first, List<Panel> more, Table ratios) {
        boolean hasMore() {
            return !more.isEmpty();
        }

        boolean hasRatios() {
            return !ratios.rows().isEmpty();
        }
    }

    List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        for (ReportedWorkload work : new Curves(document).others()) {
            String id = "w" + sections.size();
            Map<String, List<ReportedMetric>> byUnit = new LinkedHashMap<>();
            work.metrics().stream()
                    .skip(1)
                    .forEach(figure -> byUnit.computeIfAbsent(
                                    figure.unit().equals("1") ? figure.metric() : figure.unit(),
                                    unit -> new ArrayList<>())
                            .add(figure));
            List<Panel> more = new ArrayList<>();
            byUnit.values().forEach(figures -> more.add(panel(id + "-" + (more.size() + 1), work, figures)));
            Panel first = panel(id + "-0", work, work.metrics().subList(0, 1));
            sections.add(new Section(id, title(work), first, more, ratios(work)));
        }
        return sections;
    }

    /** Hasp's locks against others, by the first figure. */
    private Table ratios(ReportedWorkload work) {
        ReportedMetric first = work.metrics().get(0);
        List<TableRow> rows = new ArrayList<>();
        for (ReportedSubject hasp : document.subjects()) {
            for (ReportedSubject other : document.subjects()) {
                boolean failed = document.failure(work, hasp.subject()).isPresent()
                        || document.failure(work, other.subject()).isPresent();
                document.ratio(work, first, hasp.subject(), other.subject())
                        .ifPresent(found -> rows.add(new TableRow(
                                name(work, hasp),
                                List.of(
                                        name(work, other),
                                        NumberText.spread(found) + (failed ? ", then it failed" : ""),
                                        String.valueOf(found.n())))));
            }
        }
        return new Table(List.of("lock", "against", "times better", "n"), rows);
    }

    private String title(ReportedWorkload work) {
        boolean handsOff = document.locks().stream().anyMatch(each -> LocalHandOff.of(document, work, each.subject()));
        return DisplayNames.capital(work.experiment()) + ": " + work.words()
                + (handsOff ? ". Hasp’s locks marked ⇄ hand off within their process, " + LocalHandOff.BOUNDS : "");
    }

    private Panel panel(String id, ReportedWorkload work, List<ReportedMetric> figures) {
        ReportedMetric leading = figures.stream()
                .filter(each -> each.metric().endsWith("p99"))
                .findFirst()
                .orElse(figures.get(0));
        String heading = DisplayNames.capital(
                DisplayNames.list(figures.stream().map(ReportedMetric::title).toList()));
        List<Series> series = figures.stream().map(each -> series(work, each)).toList();
        ReportedMetric one = figures.get(0);
        String axis = figures.size() == 1 ? one.title() + unitOf(one) : DisplayNames.unit(one.unit());
        String what = (leading.lowerIsBetter() ? "Less" : "More") + " is better.";
        Spec spec = new Spec(id, axis, wide(series), lines(work, one), series);
        return new Panel(heading, what, alternative(work, leading), spec, table(work, figures));
    }

    private static String unitOf(ReportedMetric figure) {
        String unit = DisplayNames.unit(figure.unit());
        return unit.isEmpty() ? "" : ", " + unit;
    }

    private static boolean wide(List<Series> series) {
        List<Double> values = series.stream()
                .flatMap(each -> each.points().stream())
                .flatMap(point -> Stream.of(point.low(), point.high()))
                .toList();
        double least = values.stream().mapToDouble(each -> each).min().orElse(0);
        double most = values.stream().mapToDouble(each -> each).max().orElse(0);
        return least > 0 && most / least >= WIDE;
    }

    private Series series(ReportedWorkload work, ReportedMetric figure) {
        List<ReportedSubject> subjects = document.subjects();
        List<Point> points = new ArrayList<>();
        for (int line = 0; line < subjects.size(); line++) {
            Optional<Measurement> found =
                    document.measurement(work, figure, subjects.get(line).subject());
            if (found.isPresent()) {
                Measurement each = found.get();
                points.add(new Point(line, each.median(), each.low(), each.high(), each.n(), each.rounds()));
            }
        }
        return new Series(figure.title(), points);
    }

    private List<Line> lines(ReportedWorkload work, ReportedMetric figure) {
        return document.subjects().stream()
                .map(each -> new Line(
                        name(work, each) + marks(each),
                        each.role(),
                        document.measurement(work, figure, each.subject()).isPresent()
                                ? ""
                                : document.missing(work, each.subject())))
                .toList();
    }

    /** Returns the participant's name, with a mark if its figure is due to hand-off. */
    private String name(ReportedWorkload work, ReportedSubject subject) {
        return DisplayNames.in(work.experiment(), subject.subject())
                + (LocalHandOff.of(document, work, subject.subject()) ? " ⇄" : "");
    }

    /** Marks a lock that has no fencing token or broke a rule: speed is never shown without its price. */
    private String marks(ReportedSubject subject) {
        boolean broken = document.guarantees().stream()
                        .anyMatch(each -> each.subject().equals(subject.subject()) && each.outcome() == Outcome.BROKEN)
                || document.watched(subject.subject())
                        .filter(each -> each.violations() > 0)
                        .isPresent();
        boolean tokens = Guarantees.of(document).keeps(subject.subject(), "fe1_");
        return (tokens ? "" : " †") + (broken ? " ✗" : "");
    }

    private String alternative(ReportedWorkload work, ReportedMetric figure) {
        List<String> all = document.ranked(work, figure, document.subjects()).stream()
                .map(each -> DisplayNames.in(work.experiment(), each.subject()) + " "
                        + DisplayNames.figure(each.median(), figure.unit()))
                .toList();
        return "Chart. " + DisplayNames.capital(figure.title()) + ", " + work.shape() + ", the best first: "
                + String.join(", ", all) + ".";
    }

    private Table table(ReportedWorkload work, List<ReportedMetric> figures) {
        List<String> headings = Stream.concat(
                        Stream.of("lock"), Stream.concat(figures.stream().map(ReportedMetric::title), Stream.of("n")))
                .toList();
        return new Table(
                headings,
                document.subjects().stream()
                        .map(each -> new TableRow(name(work, each), cells(work, figures, each)))
                        .toList());
    }

    private List<String> cells(ReportedWorkload work, List<ReportedMetric> figures, ReportedSubject subject) {
        List<String> cells = new ArrayList<>();
        int rounds = figures.stream()
                .flatMap(figure -> document.measurement(work, figure, subject.subject()).stream())
                .mapToInt(Measurement::n)
                .max()
                .orElse(0);
        for (ReportedMetric figure : figures) {
            Optional<Measurement> found = document.measurement(work, figure, subject.subject());
            Optional<Failure> failed = document.failure(work, subject.subject());
            cells.add(found.map(each -> spread(each, figure, rounds) + (failed.isPresent() ? ", then it failed" : ""))
                    .orElseGet(() -> failed.map(failure -> "failed: " + failure.why())
                            .orElseGet(() -> document.missing(work, subject.subject()))));
        }
        cells.add(String.valueOf(rounds));
        return cells;
    }

    /** A percentile may need the observations of several rounds: then it is made of fewer figures than the others. */
    private static String spread(Measurement found, ReportedMetric figure, int rounds) {
        String spread = DisplayNames.spread(found.median(), found.low(), found.high(), figure.unit());
        return found.n() < rounds ? spread + ", n = " + found.n() : spread;
    }
}
