package io.hasp.evaluation.report;

import io.hasp.evaluation.report.Curves.Line;
import io.hasp.evaluation.report.Curves.Point;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a cost grows along a curve: flat, linear, or neither, which the page says. Judged by the exponent between the first and the
 * last third of the points: a cost that is 10 times as high where there is 10 times as much has the exponent 1.
 */
enum Growth {
    FLAT("flat"),
    SLOWLY("neither flat nor linear: it grows, but more slowly than linearly"),
    LINEAR("linear"),
    FASTER("neither flat nor linear: it grows faster than linearly");

    private static final double FLAT_BELOW = 0.15;
    private static final double LINEAR_FROM = 0.85;
    private static final double LINEAR_TO = 1.15;
    private static final int FEWEST = 3;

    private final String words;

    Growth(String words) {
        this.words = words;
    }

    /**
     * Of the steepest part: what grows only in the end is not called flat.
     *
     * @param points with places above 0, at least three
     * @param lowerIsBetter whether the figure is a cost; of a throughput, what one of it costs is judged
     */
    static Growth of(List<Point> points, boolean lowerIsBetter) {
        int last = points.size() - 1;
        double whole = exponent(points.get(0), points.get(last), lowerIsBetter);
        double end = exponent(points.get(Math.max(0, last - 2)), points.get(last), lowerIsBetter);
        double exponent = Math.max(whole, end);
        if (exponent < FLAT_BELOW) {
            return FLAT;
        }
        if (exponent < LINEAR_FROM) {
            return SLOWLY;
        }
        return exponent <= LINEAR_TO ? LINEAR : FASTER;
    }

    private static double exponent(Point from, Point to, boolean lowerIsBetter) {
        double growth = Math.log(to.median() / from.median()) / Math.log(to.x() / from.x());
        return lowerIsBetter ? growth : -growth;
    }

    static List<String> sentences(ReportedWorkload work, ReportedMetric figure, List<Line> lines) {
        Map<Growth, List<String>> found = new LinkedHashMap<>();
        for (Growth growth : values()) {
            found.put(growth, new ArrayList<>());
        }
        for (Line line : lines) {
            List<Point> points = line.points().stream()
                    .filter(point -> point.x() > 0 && point.median() > 0)
                    .toList();
            if (points.size() >= FEWEST) {
                found.computeIfAbsent(of(points, figure.lowerIsBetter()), any -> new ArrayList<>())
                        .add(line.name());
            }
        }
        String as = ", as " + (work.axis().startsWith("hold") ? "holds" : work.axis()) + " grow: ";
        return found.entrySet().stream()
                .filter(each -> !each.getValue().isEmpty())
                .map(each -> DisplayNames.capital(each.getKey().words) + as + DisplayNames.list(each.getValue()) + ".")
                .toList();
    }
}
