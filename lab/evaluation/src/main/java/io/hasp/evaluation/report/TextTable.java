package io.hasp.evaluation.report;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import java.util.List;
import java.util.stream.Stream;

/** A table for the terminal: words in the first column, figures in the others. */
final class TextTable {
    private static final int WIDEST = 60;

    private TextTable() {}

    static String table(List<String> headings, List<List<String>> rows) {
        Column first = column(headings.get(0), HorizontalAlign.LEFT);
        Stream<Column> others = headings.stream().skip(1).map(heading -> column(heading, HorizontalAlign.RIGHT));
        return AsciiTable.getTable(
                AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER,
                Stream.concat(Stream.of(first), others).toArray(Column[]::new),
                rows.stream().map(List::toArray).toArray(Object[][]::new));
    }

    private static Column column(String heading, HorizontalAlign align) {
        return new Column().header(heading).headerAlign(align).dataAlign(align).maxWidth(WIDEST);
    }
}
