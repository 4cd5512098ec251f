package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.measure.Ratio;
import java.util.Locale;

/** Numbers as people read them: as many digits as matter, thousands set apart, the spread behind. */
final class NumberText {
    private NumberText() {}

    static String spread(Measurement found) {
        return number(found.median()) + " (" + number(found.low()) + "–" + number(found.high()) + ")";
    }

    static String spread(Ratio found) {
        return "×" + times(found.median()) + " (" + times(found.low()) + "–" + times(found.high()) + ")";
    }

    /** Three digits. */
    static String number(double value) {
        return rounded(value, Integer.MAX_VALUE);
    }

    /** Three digits, but no more than two after the point. */
    static String times(double value) {
        return rounded(value, 2);
    }

    private static String rounded(double value, int mostDecimals) {
        if (value == 0) {
            return "0";
        }
        int decimals = Math.max(0, 2 - (int) Math.floor(Math.log10(Math.abs(value))));
        return String.format(Locale.ROOT, "%,." + Math.min(decimals, mostDecimals) + "f", value);
    }
}
