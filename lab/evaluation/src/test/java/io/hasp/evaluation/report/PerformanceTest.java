package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.evaluation.measure.Ratio;
import io.hasp.evaluation.report.Guarantees.Guarantee;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each figure of speed in docs/performance.md and README is one of a published set of results: tables and picture are made from such sets,
 * and README's ratios name theirs. {@link DocumentFiguresTest} finds figures on other pages. {@code -Dhasp.figures=write} writes the tables
 * and the picture anew, for another set.
 */
class PerformanceTest {
    private static final Path ROOT = GuaranteesMaker.ROOT;
    private static final Path PAGE = ROOT.resolve("docs/performance.md");
    private static final Path README = ROOT.resolve("README.md");
    /** A set, and of a set of curves the figures that are shown. */
    private static final Pattern TABLES = Pattern.compile(
            "(?s)(<!-- figures of (docs/results/[^ :]+)(?:: ([^>]+))? -->\n)(.*?)(<!-- end of figures -->)");

    /** A ratio in README, and behind it what it is a ratio of: experiment, hold in ms, lock and reference. */
    static final Pattern RATIO =
            Pattern.compile("([\\d.,]+ \\([\\d.,]+–[\\d.,]+\\)) <!-- (\\S+) (\\d+) (\\S+) (\\S+) -->");

    private static final String PICTURE = "which-lock.svg";
    private static final int MOST_RATIOS = 6;

    @Test
    void the_tables_are_those_of_the_published_sets() throws IOException {
        String page = Files.readString(PAGE);
        String made = made(page);
        if (writes()) {
            Files.writeString(PAGE, made);
        } else {
            assertThat(page).as("-Dhasp.figures=write writes it").isEqualTo(made);
        }
        assertThat(sets()).allSatisfy(set -> assertThat(page).contains("<!-- figures of " + set));
    }

    @Test
    void a_planted_figure_in_a_table_is_found() throws IOException {
        String page = Files.readString(PAGE);
        String planted = page.replaceFirst("(?m)^(\\| `hasp-redis-jedis` .*\\d) µs", "$10 µs");

        assertThat(planted).isNotEqualTo(page);
        assertThat(made(planted)).isEqualTo(made(page)).isNotEqualTo(planted);
    }

    private static String made(String page) {
        return TABLES.matcher(page)
                .replaceAll(part -> Matcher.quoteReplacement(part.group(1) + tables(part) + part.group(5)));
    }

    private static String tables(MatchResult part) {
        PerformanceFigures figures = new PerformanceFigures(document(part.group(2)), part.group(2));
        return part.group(3) == null
                ? figures.text()
                : figures.curves(List.of(part.group(3).split(" ")));
    }

    @Test
    void the_picture_is_that_of_the_first_set() throws IOException {
        String picture = ChoicePicture.of(document(first()), true).orElseThrow();
        Path file = ROOT.resolve(first()).resolve(PICTURE);
        if (writes()) {
            Files.writeString(file, picture);
        }
        assertThat(file).as("-Dhasp.figures=write draws it").hasContent(picture);
        assertThat(README).content().contains("](" + first() + "/" + PICTURE + ")");
        assertThat(PAGE).content().contains("](" + first().replaceFirst("^docs/", "") + "/" + PICTURE + ")");
    }

    @Test
    void readme_has_at_most_six_ratios_and_they_are_those_of_the_first_set() throws IOException {
        String readme = Files.readString(README);
        String planted = RATIO.matcher(readme).replaceFirst(ratio -> "9" + ratio.group());

        assertThat(RATIO.matcher(readme).results().count()).isBetween(1L, (long) MOST_RATIOS);
        assertThat(unlikeTheFirstSet(readme)).isEmpty();
        assertThat(unlikeTheFirstSet(planted)).as("with a planted ratio").hasSize(1);
    }

    /** The ratios in a text that are others than in the set that README's picture is of. */
    private static List<String> unlikeTheFirstSet(String readme) throws IOException {
        ResultsDocument document = document(first());
        return RATIO.matcher(readme)
                .results()
                .filter(ratio -> !shown(document, ratio).equals(List.of(ratio.group(1))))
                .map(MatchResult::group)
                .toList();
    }

    private static List<String> shown(ResultsDocument document, MatchResult ratio) {
        return document.workloads().stream()
                .filter(work ->
                        work.experiment().equals(ratio.group(2)) && work.holdMs() == Long.parseLong(ratio.group(3)))
                .flatMap(work -> document.ratio(work, work.metrics().get(0), ratio.group(4), ratio.group(5)).stream())
                .map(found -> NumberText.spread(found).substring(1))
                .toList();
    }

    private static Stream<Path> files(String folder) {
        try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean writes() {
        return "write".equals(System.getProperty("hasp.figures"));
    }

    /** The set of the page's first tables. */
    private static String first() throws IOException {
        Matcher part = TABLES.matcher(Files.readString(PAGE));
        assertThat(part.find()).as("the page names a set of results").isTrue();
        return part.group(2);
    }

    private static List<String> sets() {
        return files("docs/results")
                .filter(Files::isDirectory)
                .map(set -> "docs/results/" + set.getFileName())
                .sorted()
                .toList();
    }

    @Test
    void each_published_set_can_be_read_and_names_no_folder_of_the_machine_it_was_made_on() {
        assertThat(sets()).isNotEmpty();
        for (String set : sets()) {
            assertThat(ROOT.resolve(set).resolve("results.json")).content().doesNotContain("/tmp/", "/home/", "/work/");
            assertThat(new Curves(document(set)).sections().isEmpty())
                    .as(set + " has curves")
                    .isNotEqualTo(set.endsWith("-curves"));
        }
    }

    private static ResultsDocument document(String folder) {
        try {
            return ResultsFolder.json()
                    .readValue(ROOT.resolve(folder).resolve("results.json").toFile(), ResultsDocument.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_figure_has_its_unit_and_a_ratio_its_interval() throws IOException {
        ResultsDocument document = RealRun.document();
        String text = new PerformanceFigures(document, "docs/results/x").text();

        assertThat(text)
                .contains("[docs/results/x](results/x)", "| `hasp-redis-redisson` | Redis (1 server) |", " µs |");
        Ratio first = document.ratios().stream()
                .filter(each -> each.subject().equals("hasp-redis-redisson")
                        && each.reference().equals("redisson-rlock"))
                .findFirst()
                .orElseThrow();
        assertThat(text)
                .contains("| `hasp-redis-redisson` | `redisson-rlock` | "
                        + NumberText.spread(first).substring(1) + " |");
    }

    @Test
    void the_picture_has_a_point_for_each_lock_the_safest_first_and_peers_are_drawn_alike() throws IOException {
        Guarantees all = Guarantees.shipped();
        List<Guarantee> some = all.outcomes().stream()
                .filter(each -> !each.subject().equals("curator-mutex"))
                .toList();
        ResultsDocument document = RealRun.withGuarantees(
                RealRun.document(),
                new Guarantees(all.commit(), all.date(), all.tier(), all.sources(), all.rules(), some));
        String picture = ChoicePicture.of(document, true).orElseThrow();

        for (String lock : new String[] {"hasp-redis-redisson", "redisson-rlock", "hasp-zookeeper", "curator-mutex"}) {
            assertThat(picture).contains(">" + lock + "<");
        }
        assertThat(picture).doesNotContain("baseline");
        assertThat(picture.indexOf(SafetyLevel.SURVIVES_AND_FENCES.words()))
                .isPositive()
                .isLessThan(picture.indexOf(SafetyLevel.FENCES.words()));
        assertThat(picture.split("r=\"6\"")).hasSize(5);
        assertThat(picture.indexOf(SafetyLevel.UNTESTED.words()))
                .as("not tested is below all, beyond the line that ends the scale")
                .isGreaterThan(picture.indexOf("class=\"end\""))
                .isLessThan(picture.indexOf(">curator-mutex<"));
        assertThat(ChoicePicture.of(document, false).orElseThrow()).doesNotContain("paper");
    }
}
