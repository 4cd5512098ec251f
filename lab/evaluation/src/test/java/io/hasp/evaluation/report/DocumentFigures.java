package io.hasp.evaluation.report;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Finds the figures in the prose of a page: times, sizes, shares, rates, factors and intervals. Code, link targets and the tables of
 * published sets are no prose.
 */
final class DocumentFigures {
    private static final Pattern NOT_PROSE = Pattern.compile(
            "(?s)<!-- figures of .*?<!-- end of figures -->|```.*?```|`[^`]*`|<!--.*?-->|\\]\\([^)\\s]*\\)");

    private static final String WORD =
            "(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred|thousand)";
    private static final String NUMBER = "(?:[\\d−][\\d.,]*\\s?|" + WORD + "[\\s-])";
    private static final String UNIT =
            "(?:%|percent|[nµm]?s|min|[kKMG]i?B|bytes" + "|(?:nano|micro|milli)?seconds?|minutes?|hours?|times|fold)";

    private static final Pattern FIGURE = Pattern.compile("(?<![\\p{L}\\d-])(?:"
            + NUMBER + "(?:[µm]?s )?\\([−\\d][\\d.,]*(?:–| to )[\\d.,]+\\)"
            + "|" + NUMBER + "(?:(?:to |–|or )" + NUMBER + ")?-?" + UNIT
            + "(?![\\p{L}\\d])(?:\\s(?:a|per|each)\\ssecond)?"
            + "|×\\s?\\d[\\d.,]*"
            + "|factor\\sof\\s(?:\\d|" + WORD + ")"
            + "|(?:an?|half\\sa)\\s(?:nano|micro|milli)second"
            + "|(?:twice|half)\\sas\\s(?:fast|slow|quick|cheap)"
            + "|\\d+:\\d\\d(?![\\d:])"
            + "|[Mm]easured\\*?\\s(?:on\\s(?:\\d|two|a)|were)\\s)");

    private DocumentFigures() {}

    /** Each figure once, in the order of the page, with single spaces. */
    static List<String> of(String page) {
        return FIGURE.matcher(NOT_PROSE.matcher(page).replaceAll("~"))
                .results()
                .map(MatchResult::group)
                .map(figure -> figure.strip().replaceAll("\\s+", " ").replaceAll("[.,]$", ""))
                .distinct()
                .toList();
    }
}
