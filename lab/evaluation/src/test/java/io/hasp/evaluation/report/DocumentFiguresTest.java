package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No page has a figure of a measurement that belongs to no published set. Each figure in prose that is a default, a limit, a definition
 * or an example is listed for its page in {@code figures-of-no-measurement.txt}.
 *
 * <p>Not asked: the log of changes, the list of faults and the decisions, which say what was measured on their date, and the messages,
 * which {@code MessagesTest} compares with those of the program.
 */
class DocumentFiguresTest {
    private static final Path ROOT = GuaranteesMaker.ROOT;
    private static final List<String> NOT_ASKED =
            List.of("CHANGELOG.md", "docs/internals/found.md", "docs/decisions/", "docs/messages.md");

    private static final Path LISTED =
            ROOT.resolve("lab/evaluation/src/test/resources/io/hasp/evaluation/report/figures-of-no-measurement.txt");
    private static final Path TIERS = ROOT.resolve("docs/results/2026-11-27-tiers.csv");

    static List<String> pages() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> examples = Files.walk(ROOT.resolve("examples"));
                Stream<Path> model = Files.list(ROOT.resolve("lab/model"))) {
            return Stream.of(top, docs, examples, model)
                    .flatMap(files -> files)
                    .map(file -> ROOT.relativize(file).toString())
                    .filter(file -> file.endsWith(".md") && !file.contains("/target/"))
                    .filter(file -> NOT_ASKED.stream().noneMatch(file::startsWith))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void a_page_has_no_figure_that_is_neither_of_a_published_set_nor_listed(String page) {
        assertThat(unheld(page, text(page)))
                .as("figures on " + page + ": of a published set, or listed in " + LISTED.getFileName())
                .isEmpty();
    }

    @Test
    void each_listed_figure_is_on_its_page() {
        assertThat(listed())
                .hasSizeGreaterThan(10)
                .allSatisfy((page, figures) ->
                        assertThat(DocumentFigures.of(text(page))).as(page).containsAll(figures));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "A cycle takes 88.1 µs.",
                "A cycle takes\n88 to 91 µs.",
                "It is 2.7 times faster.",
                "It is ×4.6 faster.",
                "It is twice as fast.",
                "Speed-up: 2.92 (2.69–3.18).",
                "It listed 4.6 MB.",
                "It holds in 83 % of the runs.",
                "All rules run in about six minutes.",
                "The build takes 5:06.",
                "A search takes 494 s.",
                "It differed by a factor of ten.",
                "A cycle takes about a microsecond.",
                "It asks 231 times a second."
            })
    void a_planted_figure_is_found_on_each_page(String planted) throws IOException {
        for (String page : pages()) {
            assertThat(unheld(page, text(page) + "\n" + planted + "\n"))
                    .as(page)
                    .hasSize(1);
        }
    }

    @Test
    void code_and_tables_of_published_sets_are_no_prose() {
        assertThat(DocumentFigures.of("`keep=30 s`\n```\n10 s\n```\n[a](b/20%20s)"
                        + " <!-- figures of docs/results/x -->\n| 88 µs |\n<!-- end of figures -->"))
                .isEmpty();
    }

    @Test
    void a_figure_that_is_listed_for_one_page_is_not_allowed_on_another() {
        assertThat(unheld("README.md", "30 s, as on its page")).isEmpty();
        assertThat(unheld("docs/performance.md", "30 s, as on another page")).containsExactly("30 s");
    }

    @Test
    void the_times_of_the_tiers_are_those_of_the_published_file() throws IOException {
        String page = text("docs/internals/testing.md");

        assertThat(page).contains(tiers());
        assertThat(page.replaceFirst("(\\| 0):2", "$1:3"))
                .as("with a planted time")
                .doesNotContain(tiers());
    }

    private static String tiers() throws IOException {
        StringBuilder table = new StringBuilder("<!-- figures of " + ROOT.relativize(TIERS) + " -->\n");
        for (String line : Files.readAllLines(TIERS)) {
            table.append("| ").append(line.replace(";", " | ")).append(" |\n");
            if (line.startsWith("module;")) {
                table.append("|---|---|---|\n");
            }
        }
        return table.append("<!-- end of figures -->").toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/performance.md", "docs/method.md"})
    void beside_the_ratios_stands_that_they_speak_for_one_machine_and_day(String page) {
        assertThat(text(page)).containsPattern(Difference.INTERVAL.replace(" ", "\\s+"));
    }

    @Test
    void the_index_of_decisions_says_that_their_figures_are_of_their_date() {
        assertThat(text("docs/README.md")).containsPattern("belong to no\\spublished set");
    }

    /** The figures in the prose of a text that are not listed for the page. README's ratios name their set, and {@link PerformanceTest} compares them. */
    private static List<String> unheld(String page, String text) {
        String asked =
                page.equals("README.md") ? PerformanceTest.RATIO.matcher(text).replaceAll("") : text;
        List<String> allowed = listed().getOrDefault(page, List.of());
        return DocumentFigures.of(asked).stream()
                .filter(figure -> !allowed.contains(figure))
                .toList();
    }

    private static Map<String, List<String>> listed() {
        Map<String, List<String>> listed = new TreeMap<>();
        text(ROOT.relativize(LISTED).toString())
                .lines()
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .map(line -> line.split(": ", 2))
                .forEach(line -> listed.put(line[0], Arrays.asList(line[1].split("; "))));
        return listed;
    }

    private static String text(String file) {
        try {
            return Files.readString(ROOT.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
