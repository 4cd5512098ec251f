package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Axis;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** The figures that were measured at several points, one curve for each lock. */
final class Curves {
    private final ResultsDocument document;

    Curves(ResultsDocument document) {
        this.document = document;
    }

    /** One curve for the page's script. */
    record Spec(String id, boolean curve, String axis, boolean logX, String value, boolean log, List<Line> series) {}

    /** One lock. */
    record Line(String name, String role, List<Point> points) {}

    record Point(double x, double median, double low, double high, int n) {}

    /** A chart, and the same in figures. */
    record Panel(String id, String heading, String alternative, Spec spec, ChartData.Table table) {}

    /** All about the points of one experiment. */
    record Section(String id, String title, Panel first, List<Panel> more) {
        boolean hasMore() {
            return !more.isEmpty();
        }
    }

    List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        for (List<ReportedWorkload> points : families().values()) {
            if (points.size() > 1) {
                sections.add(section("c" + sections.size(), points));
            }
        }
        return sections;
    }

    /** The workloads that are no part of a curve; a single point is none. */
    List<ReportedWorkload> others() {
        Map<String, List<ReportedWorkload>> families = families();
        return document.workloads().stream()
                .filter(work -> !work.isOnACurve()
                        || families.getOrDefault(family(work), List.of()).size() == 1)
                .toList();
    }

    private Map<String, List<ReportedWorkload>> families() {
        Map<String, List<ReportedWorkload>> families = new LinkedHashMap<>();
        document.workloads().stream()
                .filter(ReportedWorkload::isOnACurve)
                .forEach(work -> families.computeIfAbsent(family(work), any -> new ArrayList<>())
                        .add(work));
        return families;
    }

    /** A round trip may differ for any work; every other axis belongs to one experiment. */
    private static String family(ReportedWorkload work) {
        return isDistance(work)
                ? work.experiment() + "/" + work.processes() + "/" + work.threads() + "/" + work.holdMs()
                : work.experiment();
    }

    private static boolean isDistance(ReportedWorkload work) {
        return work.axis().equals(Axis.ROUND_TRIP.title());
    }

    private Section section(String id, List<ReportedWorkload> points) {
        ReportedWorkload one = points.get(0);
        List<Panel> panels = new ArrayList<>();
        for (ReportedMetric figure : one.metrics()) {
            Panel panel = panel(id + "-" + panels.size(), points, figure);
            if (!panel.spec().series().isEmpty()) {
                panels.add(panel);
            }
        }
        String title = DisplayNames.capital(one.experiment()) + " by " + one.axis() + ": "
                + (isDistance(one)
                        ? one.words().replaceFirst("; each round trip.*", "")
                        : last(points).words());
        return panels.isEmpty()
                ? new Section(id, title, panel(id + "-0", points, one.metrics().get(0)), List.of())
                : new Section(id, title, panels.get(0), panels.subList(1, panels.size()));
    }

    private static <T> T last(List<T> list) {
        return list.get(list.size() - 1);
    }

    private Panel panel(String id, List<ReportedWorkload> points, ReportedMetric figure) {
        ReportedWorkload one = points.get(0);
        List<Line> lines = document.subjects().stream()
                .map(each -> new Line(each.subject(), each.role(), line(points, figure, each.subject())))
                .filter(line -> !line.points().isEmpty())
                .toList();
        String value = DisplayNames.capital(figure.title()) + unit(figure.unit());
        String axis = DisplayNames.capital(one.axis()) + (one.axisUnit().isEmpty() ? "" : ", " + one.axisUnit());
        Spec spec = new Spec(
                id,
                true,
                axis,
                points.stream().allMatch(each -> each.at() > 0),
                value,
                lines.stream().flatMap(line -> line.points().stream()).allMatch(point -> point.low() > 0),
                lines);
        String alternative = "Chart. " + value + " against " + one.axis() + ".";
        return new Panel(
                id,
                value + " (" + (figure.lowerIsBetter() ? "less" : "more") + " is better)",
                alternative,
                spec,
                table(points, figure));
    }

    private static String unit(String unit) {
        String words = DisplayNames.unit(unit);
        return words.isEmpty() ? "" : ", " + words;
    }

    private List<Point> line(List<ReportedWorkload> points, ReportedMetric figure, String subject) {
        return points.stream()
                .flatMap(work -> document.measurement(work, figure, subject).stream()
                        .map(each -> new Point(work.at(), each.median(), each.low(), each.high(), each.n())))
                .sorted((a, b) -> Double.compare(a.x(), b.x()))
                .toList();
    }

    private ChartData.Table table(List<ReportedWorkload> points, ReportedMetric figure) {
        Function<ReportedWorkload, String> place = work -> work.at() == 0 ? "0" : NumberText.number(work.at());
        List<String> headings =
                Stream.concat(Stream.of("lock"), points.stream().map(place)).toList();
        return new ChartData.Table(
                headings,
                document.subjects().stream()
                        .map(each -> new ChartData.TableRow(
                                each.subject(),
                                points.stream()
                                        .map(work -> document.measurement(work, figure, each.subject())
                                                .map(found -> DisplayNames.spread(
                                                        found.median(), found.low(), found.high(), figure.unit()))
                                                .orElseGet(() -> document.missing(work, each.subject())))
                                        .toList()))
                        .toList());
    }
}
