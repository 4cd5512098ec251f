package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.evaluation.report.Guarantees.Guarantee;
import io.hasp.evaluation.report.Guarantees.Outcome;
import io.hasp.evaluation.report.ResultsDocument.SuiteRun;
import io.hasp.evaluation.subject.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The pages about guarantees name the run of the suite that the shipped guarantees are of, and docs/guarantees.md has its results for each
 * lock. {@code -Dhasp.figures=write} writes both anew.
 */
class GuaranteePagesTest {
    private static final Path DOCS = GuaranteesMaker.ROOT.resolve("docs");
    private static final Pattern RUN =
            Pattern.compile("(?s)(<!-- run of the suite -->\n)(.*?)(<!-- end of the run -->)");
    private static final Pattern RESULTS =
            Pattern.compile("(?s)(<!-- results of the suite -->\n)(.*?)(<!-- end of the results -->)");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "guarantees.md",
                "guarantees/redis.md",
                "guarantees/redlock.md",
                "guarantees/zookeeper.md",
                "guarantees/postgres.md"
            })
    void a_page_names_the_shipped_run(String page) throws IOException {
        String link = page.contains("/") ? "../guarantees.md" : "";
        check(DOCS.resolve(page), text -> made(RUN, text, run(link)));
    }

    @Test
    void the_overview_has_the_results_for_each_lock() throws IOException {
        Path page = DOCS.resolve("guarantees.md");
        check(page, text -> made(RESULTS, text, results()));
        String planted = Files.readString(page).replaceFirst("(?m)^(\\| `hasp-zookeeper` .*\\| )(\\d+) \\|", "$19$2 |");
        assertThat(planted).isNotEqualTo(made(RESULTS, planted, results()));
    }

    private static void check(Path page, UnaryOperator<String> maker) throws IOException {
        String text = Files.readString(page);
        String made = maker.apply(text);
        if ("write".equals(System.getProperty("hasp.figures"))) {
            Files.writeString(page, made);
        } else {
            assertThat(text).as("-Dhasp.figures=write writes " + page).isEqualTo(made);
        }
    }

    private static String made(Pattern block, String page, String content) {
        Matcher found = block.matcher(page);
        assertThat(found.find()).as("the page has " + block).isTrue();
        return found.replaceAll(part -> Matcher.quoteReplacement(part.group(1) + content + part.group(3)));
    }

    private static String run(String link) {
        Guarantees shipped = Guarantees.shipped();
        return "Last run of the suite: " + shipped.date() + ", commit " + shipped.commit() + ", "
                + SuiteRun.of(shipped, LockSources.UNKNOWN).thoroughness() + " ([results of each lock](" + link
                + "#results-of-the-suite)).\n";
    }

    private static String results() {
        List<Outcome> columns =
                List.of(Outcome.HELD, Outcome.BROKEN, Outcome.LATE, Outcome.NOT_OFFERED, Outcome.NOT_TESTED);
        Map<String, List<Guarantee>> locks = Guarantees.shipped().outcomes().stream()
                .collect(Collectors.groupingBy(Guarantee::subject, () -> new TreeMap<>(order()), Collectors.toList()));
        Stream<String> rows = locks.entrySet().stream()
                .map(lock -> "| `" + lock.getKey() + "` | "
                        + columns.stream()
                                .map(outcome -> Long.toString(lock.getValue().stream()
                                        .filter(each -> each.outcome() == outcome)
                                        .count()))
                                .collect(Collectors.joining(" | "))
                        + " |");
        return Stream.concat(
                        Stream.of(
                                "| lock | held | broken | late | not offered | not tested |",
                                "|---" + "|---".repeat(5) + "|"),
                        rows)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** In the order of the comparison, with variants behind their lock. */
    private static Comparator<String> order() {
        List<String> labels = Stream.of(Subject.values()).map(Subject::label).toList();
        return Comparator.comparingInt((String lock) -> labels.indexOf(labels.stream()
                        .filter(label -> lock.equals(label) || lock.startsWith(label + "-"))
                        .max(Comparator.comparingInt(String::length))
                        .orElse("")))
                .thenComparing(Comparator.naturalOrder());
    }
}
