package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.evaluation.measure.Ratio;
import io.hasp.evaluation.report.Guarantees.Guarantee;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * README's figures and picture are those of a published set of results, which README names. {@code -Dhasp.readme=write} writes both
 * anew, for another set.
 */
class ReadmeFiguresTest {
    private static final Path README = GuaranteesMaker.ROOT.resolve("README.md");
    private static final Pattern FIGURES =
            Pattern.compile("(?s)(<!-- figures of (docs/results/[^ ]+) -->\n)(.*?)(<!-- end of figures -->)");
    private static final String PICTURE = "which-lock.svg";

    @Test
    void readme_agrees_with_the_published_set() throws IOException {
        String readme = Files.readString(README);
        Matcher part = FIGURES.matcher(readme);
        assertThat(part.find()).as("README names a set of results").isTrue();
        String folder = part.group(2);
        ResultsDocument document = document(folder);
        String figures = new ReadmeFigures(document, folder).text();
        String picture = ChoicePicture.of(document, true).orElseThrow();
        Path file = GuaranteesMaker.ROOT.resolve(folder).resolve(PICTURE);
        if ("write".equals(System.getProperty("hasp.readme"))) {
            Files.writeString(file, picture);
            Files.writeString(README, readme.substring(0, part.start(3)) + figures + readme.substring(part.end(3)));
        } else {
            assertThat(part.group(3)).as("-Dhasp.readme=write writes it").isEqualTo(figures);
            assertThat(file).as("-Dhasp.readme=write draws it").hasContent(picture);
            assertThat(readme).contains("](" + folder + "/" + PICTURE + ")");
        }
    }

    @Test
    void each_published_set_can_be_read_and_names_no_folder_of_the_machine_it_was_made_on() throws IOException {
        List<Path> sets;
        try (Stream<Path> all = Files.list(GuaranteesMaker.ROOT.resolve("docs/results"))) {
            sets = all.filter(Files::isDirectory).sorted().toList();
        }

        assertThat(sets).isNotEmpty();
        for (Path set : sets) {
            ResultsDocument document = document("docs/results/" + set.getFileName());
            assertThat(set.resolve("results.json")).content().doesNotContain("/tmp/", "/home/", "/work/");
            assertThat(new Curves(document).sections().isEmpty())
                    .as(set + " has curves")
                    .isNotEqualTo(set.toString().endsWith("-curves"));
        }
    }

    private static ResultsDocument document(String folder) throws IOException {
        return ResultsFolder.json()
                .readValue(
                        GuaranteesMaker.ROOT
                                .resolve(folder)
                                .resolve("results.json")
                                .toFile(),
                        ResultsDocument.class);
    }

    @Test
    void a_figure_has_its_unit_and_a_ratio_its_interval() throws IOException {
        ResultsDocument document = RealRun.document();
        String text = new ReadmeFigures(document, "docs/results/x").text();

        assertThat(text).contains("docs/results/x", "| `hasp-redis-redisson` | Redis (1 server) |", " µs |");
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
        assertThat(picture.indexOf(SafetyLevel.SURVIVES_AND_TELLS.words()))
                .isPositive()
                .isLessThan(picture.indexOf(SafetyLevel.TELLS.words()));
        assertThat(picture.split("r=\"6\"")).hasSize(5);
        assertThat(picture.indexOf(SafetyLevel.UNTESTED.words()))
                .as("not tested is below all, beyond the line that ends the scale")
                .isGreaterThan(picture.indexOf("class=\"end\""))
                .isLessThan(picture.indexOf(">curator-mutex<"));
        assertThat(ChoicePicture.of(document, false).orElseThrow()).doesNotContain("paper");
    }
}
