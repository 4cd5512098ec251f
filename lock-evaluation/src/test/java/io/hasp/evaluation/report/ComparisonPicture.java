package io.hasp.evaluation.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * README's table of ratios as a picture: a panel for each of the first three columns of figures, with a dot and its bracket for
 * each peer. All panels have one logarithmic scale, so equal distances are equal factors; a panel is as wide as its figures need.
 */
final class ComparisonPicture {
    private static final String HEADING = "| Hasp | against |";
    private static final int PANELS = 3;
    private static final int WIDTH = 800;
    private static final int LABELS = 236;
    private static final int GAP = 32;
    private static final int TOP = 58;
    private static final int LINE = 17;
    private static final List<Double> TICKS = List.of(0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0);
    private static final String BEGIN = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" role="img">
            <title>How many times better Hasp did than each peer</title>
            <style>
            text { font: 12px 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1f2328 }
            .paper { fill: #ffffff; stroke: #d0d7de } .group { font-weight: 600 } .head { font-size: 11px }
            .grid { stroke: #e4e8ec } .one { stroke: #59636e; stroke-width: 1.5 } .tick { font-size: 11px; fill: #59636e }
            .better { stroke: #0969da; fill: #0969da } .worse { stroke: #bc4c00; fill: #bc4c00 } .same { stroke: #6e7781; fill: #6e7781 }
            line.better, line.worse, line.same { stroke-width: 3 }
            @media (prefers-color-scheme: dark) {
            text { fill: #f0f6fc } .paper { fill: #0d1117; stroke: #3d444d }
            .grid { stroke: #262c36 } .one { stroke: #9198a1 } .tick { fill: #9198a1 }
            .better { stroke: #58a6ff; fill: #58a6ff } .worse { stroke: #f0883e; fill: #f0883e } .same { stroke: #9198a1; fill: #9198a1 }
            }
            </style>
            <rect class="paper" x="0.5" y="0.5" width="%3$d" height="%4$d" rx="6"/>
            """;

    /** A median with its bracket. */
    private record Ratio(double median, double low, double high) {
        private static final Pattern TEXT = Pattern.compile("([\\d.]+) \\(([\\d.]+)–([\\d.]+)\\)");

        static Optional<Ratio> of(String cell) {
            return TEXT.matcher(cell)
                    .results()
                    .findFirst()
                    .map(text -> new Ratio(at(text, 1), at(text, 2), at(text, 3)));
        }

        private static double at(MatchResult text, int group) {
            return Double.parseDouble(text.group(group));
        }

        String style() {
            return low > 1 ? "better" : high < 1 ? "worse" : "same";
        }
    }

    private final List<List<String>> table;
    private final StringBuilder svg = new StringBuilder();

    private ComparisonPicture(List<List<String>> table) {
        this.table = table;
    }

    /** The picture of the table in this text. */
    static String of(String readme) {
        return new ComparisonPicture(readme.lines()
                        .dropWhile(line -> !line.startsWith(HEADING))
                        .takeWhile(line -> line.startsWith("|"))
                        .filter(line -> !line.startsWith("|--"))
                        .map(ComparisonPicture::cells)
                        .toList())
                .draw();
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.substring(1).split("\\|", -1))
                .map(cell -> cell.strip().replace("`", ""))
                .toList();
    }

    private String draw() {
        int bottom = y(table.size() - 1) + 10;
        add(BEGIN, WIDTH, bottom + 22, WIDTH - 1, bottom + 21);
        text(14, 22, "group", "How many times better Hasp did");
        legend(LABELS + 60, "better", "better");
        legend(LABELS + 130, "same", "no difference shown");
        legend(LABELS + 290, "worse", "worse");
        for (int row = 1; row < table.size(); row++) {
            text(14, y(row) - LINE, "group", table.get(row).get(0));
            text(24, y(row), "peer", table.get(row).get(1).replaceFirst(" \\(.*", ""));
        }
        double decades = Stream.of(2, 3, 4)
                .mapToDouble(column -> Math.log10(end(column) / begin(column)))
                .sum();
        double left = LABELS;
        for (int column = 2; column < 2 + PANELS; column++) {
            left = GAP + panel(column, left, (WIDTH - LABELS - PANELS * GAP) / decades, bottom);
        }
        return svg.append("</svg>\n").toString();
    }

    /** Where a line of the table is drawn: one that begins a group has the group's name above it. */
    private int y(int row) {
        long groups = table.subList(1, row + 1).stream()
                .filter(cells -> !cells.get(0).isEmpty())
                .count();
        return TOP - 12 + row * LINE + (int) groups * (LINE + 4);
    }

    private void legend(int x, String style, String text) {
        add("<circle class=\"%s\" cx=\"%d\" cy=\"18\" r=\"4\"/>\n", style, x);
        text(x + 9, 22, "peer", text);
    }

    /** Draws the panel of a column and returns where it ends. */
    private double panel(int column, double left, double decade, int bottom) {
        double begin = begin(column);
        DoubleUnaryOperator x = ratio -> left + decade * Math.log10(ratio / begin);
        text(left, TOP - 10, "head", table.get(0).get(column));
        TICKS.stream().filter(tick -> tick > begin && tick < end(column)).forEach(tick -> {
            line(x, tick, TOP, tick, bottom, tick == 1 ? "one" : "grid");
            String label = tick < 1 ? tick.toString() : Integer.toString(tick.intValue());
            text(x.applyAsDouble(tick) - 3.5 * label.length(), bottom + 14, "tick", label);
        });
        for (int row = 1; row < table.size(); row++) {
            int y = y(row) - 4;
            Ratio.of(table.get(row).get(column)).ifPresent(ratio -> {
                line(x, ratio.low, y, ratio.high, y, ratio.style());
                add(
                        "<circle class=\"%s\" cx=\"%.1f\" cy=\"%d\" r=\"4\"/>\n",
                        ratio.style(), x.applyAsDouble(ratio.median), y);
            });
        }
        return x.applyAsDouble(end(column));
    }

    private double begin(int column) {
        return Math.min(0.75, ratios(column).mapToDouble(Ratio::low).min().orElse(1) / 1.1);
    }

    private double end(int column) {
        return Math.max(1.4, ratios(column).mapToDouble(Ratio::high).max().orElse(1) * 1.1);
    }

    private Stream<Ratio> ratios(int column) {
        return table.stream().flatMap(row -> Ratio.of(row.get(column)).stream());
    }

    private void line(DoubleUnaryOperator x, double from, int y1, double to, int y2, String style) {
        add(
                "<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n",
                style, x.applyAsDouble(from), y1, x.applyAsDouble(to), y2);
    }

    private void text(double x, int y, String style, String text) {
        if (!text.isEmpty()) {
            add(
                    "<text class=\"%s\" x=\"%.1f\" y=\"%d\">%s</text>\n",
                    style, x, y, text.replace("&", "&amp;").replace("<", "&lt;"));
        }
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }
}
