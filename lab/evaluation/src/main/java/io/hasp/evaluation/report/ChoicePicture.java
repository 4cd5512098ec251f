package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/**
 * All locks in one picture: speed to the right, safety to the top, each lock a point, with the locks of other libraries
 * drawn like Hasp's. Locks that the suite has not tested are below a line, beside the scale of safety: their safety is
 * unknown. An SVG without a script, which README shows, too.
 */
final class ChoicePicture {
    private static final int WIDTH = 860;
    private static final int LABELS = 250;
    private static final int RIGHT = 110;
    private static final int LINE = 21;
    private static final int BAND = 32;
    private static final int TOP = 46;
    private static final List<Integer> STEPS = List.of(1, 2, 5);
    private static final String STYLE = """
            .pick text { font: 13px 'Segoe UI', system-ui, Helvetica, Arial, sans-serif; fill: var(--ink, #1f2328) }
            .pick .band { font-weight: 600 } .pick .soft { fill: var(--soft, #59636e); font-size: 12px }
            .pick .aside { font-style: italic } .pick .end { stroke: var(--soft, #59636e) }
            .pick .grid { stroke: var(--line, #d5d9de) } .pick .row { stroke: var(--line, #d5d9de); stroke-dasharray: 1 4 }
            .pick .hasp { fill: var(--hasp, #0b57b7); stroke: var(--hasp, #0b57b7) }
            .pick .peer { fill: var(--peer, #b3450b); stroke: var(--peer, #b3450b) }
            .pick .open { fill: var(--card, #ffffff); stroke-width: 2 }
            .pick text.hasp, .pick text.peer { stroke: none } .pick line.hasp, .pick line.peer { stroke-width: 3 }
            """;
    private static final String ALONE = """
            .paper { fill: #ffffff; stroke: #d0d7de }
            @media (prefers-color-scheme: dark) {
            .paper { fill: #0d1117; stroke: #3d444d }
            .pick { --ink: #f0f6fc; --soft: #9198a1; --line: #30363d; --hasp: #58a6ff; --peer: #f0883e; --card: #0d1117 }
            }
            """;

    private final ResultsDocument document;
    private final ReportedWorkload work;
    private final ReportedMetric figure;
    private final StringBuilder svg = new StringBuilder();

    private ChoicePicture(ResultsDocument document, ReportedWorkload work, ReportedMetric figure) {
        this.document = document;
        this.work = work;
        this.figure = figure;
    }

    private record Point(SafetyLevel level, String role, Measurement found) {}

    /**
     * The picture of the uncontended cycle, or else of the first figure that was measured.
     *
     * @param alone whether it is a file of its own, instead of a part of the page
     * @return empty if nothing was measured
     */
    static Optional<String> of(ResultsDocument document, boolean alone) {
        List<ReportedWorkload> all = document.workloads();
        return all.stream()
                .filter(each -> each.experiment().equals(Experiments.UNCONTENDED.name()))
                .findFirst()
                .or(() -> all.stream().findFirst())
                .map(work -> new ChoicePicture(document, work, work.metrics().get(0)))
                .filter(picture -> !picture.points().isEmpty())
                .map(picture -> picture.draw(alone));
    }

    /** The safest first, and of each level the fastest. */
    private List<Point> points() {
        List<Point> points = new ArrayList<>();
        for (SafetyLevel level : SafetyLevel.values()) {
            document.ranked(work, figure, document.locks()).stream()
                    .filter(each -> each.median() > 0 && SafetyLevel.of(document, each.subject()) == level)
                    .forEach(each -> points.add(new Point(level, role(each.subject()), each)));
        }
        return points;
    }

    private String role(String subject) {
        return document.subjects().stream()
                .filter(each -> each.subject().equals(subject))
                .map(ResultsDocument.ReportedSubject::role)
                .findFirst()
                .orElse(ResultsDocument.PEER);
    }

    private String draw(boolean alone) {
        List<Point> points = points();
        long bands = points.stream().map(Point::level).distinct().count();
        int bottom = TOP + points.size() * LINE + (int) bands * BAND;
        double least =
                points.stream().mapToDouble(each -> each.found().low()).min().orElse(1);
        double most =
                points.stream().mapToDouble(each -> each.found().high()).max().orElse(1);
        double from = Math.log(Math.max(least, most / 1e6)) - 0.1;
        double to = Math.log(most) + 0.1;
        double scale = (WIDTH - LABELS - RIGHT) / (to - from);
        DoubleUnaryOperator x = value -> {
            double inside = Math.min(to, Math.max(from, Math.log(value)));
            return LABELS + scale * (figure.lowerIsBetter() ? to - inside : inside - from);
        };
        begin(alone, bottom + 44);
        grid(x, Math.exp(from), Math.exp(to), bottom);
        int y = TOP;
        SafetyLevel before = null;
        for (Point each : points) {
            if (each.level() != before) {
                y += BAND;
                if (each.level() == SafetyLevel.UNTESTED) {
                    add("<line class=\"end\" x1=\"14\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>%n", y - 27, WIDTH - 14, y - 27);
                }
                text(
                        14,
                        y - 9,
                        each.level() == SafetyLevel.UNTESTED ? "aside" : "band",
                        each.level().words());
                before = each.level();
            }
            point(each, y + 5, x);
            y += LINE;
        }
        text(
                LABELS,
                bottom + 38,
                "soft",
                DisplayNames.capital(figure.title()) + ", " + work.shape()
                        + " (logarithmic). Bar: lowest to highest round. Faster →");
        return svg.append("</svg>\n").toString();
    }

    private void begin(boolean alone, int height) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pick\" viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\">%n",
                WIDTH, height, WIDTH);
        add("<title>Which lock: speed against safety</title>%n<style>%n%s%s</style>%n", STYLE, alone ? ALONE : "");
        if (alone) {
            add(
                    "<rect class=\"paper\" x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"6\"/>%n",
                    WIDTH - 1, height - 1);
        }
        text(14, 24, "band", "Safer ↑   faster →");
        mark("hasp", 175, "Hasp");
        mark("peer", 240, "what people use today");
    }

    private void mark(String role, int at, String words) {
        add("<circle class=\"%s\" cx=\"%d\" cy=\"20\" r=\"5\"/>%n", role, at);
        text(at + 10, 24, "soft", words);
    }

    private void grid(DoubleUnaryOperator x, double from, double to, int bottom) {
        for (double decade = Math.pow(10, Math.floor(Math.log10(from))); decade < to; decade *= 10) {
            for (int step : STEPS) {
                double tick = step * decade;
                if (tick > from && tick < to && (step == 1 || to / from < 300)) {
                    add(
                            "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>%n",
                            x.applyAsDouble(tick), TOP - 6, x.applyAsDouble(tick), bottom);
                    add(
                            "<text class=\"soft\" text-anchor=\"middle\" x=\"%.1f\" y=\"%d\">%s</text>%n",
                            x.applyAsDouble(tick),
                            bottom + 16,
                            DisplayNames.figure(tick, figure.unit()).replaceFirst("\\.0+ ", " "));
                }
            }
        }
    }

    private void point(Point each, int y, DoubleUnaryOperator x) {
        Measurement found = each.found();
        add(
                "<text class=\"%s\" text-anchor=\"end\" x=\"%d\" y=\"%d\">%s</text>%n",
                each.role(), LABELS - 12, y + 4, escaped(found.subject()));
        add("<line class=\"row\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>%n", LABELS, y, WIDTH - RIGHT, y);
        double low = x.applyAsDouble(found.low());
        double high = x.applyAsDouble(found.high());
        add("<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>%n", each.role(), low, y, high, y);
        String look = each.role() + (each.level() == SafetyLevel.UNTESTED ? " open" : "");
        add("<circle class=\"%s\" cx=\"%.1f\" cy=\"%d\" r=\"6\"/>%n", look, x.applyAsDouble(found.median()), y);
        text(Math.max(low, high) + 12, y + 4, "soft", DisplayNames.figure(found.median(), figure.unit()));
    }

    private void text(double x, int y, String style, String text) {
        add("<text class=\"%s\" x=\"%.1f\" y=\"%d\">%s</text>%n", style, x, y, escaped(text));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format.replace("%n", "\n"), values));
    }
}
