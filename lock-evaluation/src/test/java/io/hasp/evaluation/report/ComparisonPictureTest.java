package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The picture on README's first screen shows README's own table. {@code -Dhasp.picture=write} draws it anew, for a change of the
 * table.
 */
class ComparisonPictureTest {
    private static final Path PICTURE = GuaranteesMaker.ROOT.resolve("docs/comparison.svg");
    /** Dots above the panels, which say what the colours mean. */
    private static final int LEGEND = 3;

    @Test
    void the_picture_shows_the_table() throws IOException {
        String picture = ComparisonPicture.of(Files.readString(GuaranteesMaker.ROOT.resolve("README.md")));
        if ("write".equals(System.getProperty("hasp.picture"))) {
            Files.writeString(PICTURE, picture);
        } else {
            assertThat(PICTURE)
                    .as("docs/comparison.svg; -Dhasp.picture=write draws it")
                    .hasContent(picture);
        }
    }

    @Test
    void each_figure_is_a_dot_in_the_colour_of_what_its_bracket_says() {
        String picture = ComparisonPicture.of("""
                | Hasp | against | a | b | c | d |
                |---|---|---|---|---|---|
                | on Redis | `RLock` | 2.0 (1.1–3.0) | 1.0 (0.9–1.1) | 0.5 (0.4–0.9) | 3.0 (2.0–4.0) |
                |  | the baseline | 3.0 (2.0–4.0) |  |  |  |
                """);

        assertThat(picture.lines()
                        .filter(line -> line.startsWith("<circle"))
                        .skip(LEGEND)
                        .map(line -> line.split("\"")[1]))
                .containsExactly("better", "better", "same", "worse");
        assertThat(picture).contains(">RLock<", ">the baseline<", ">on Redis<");
    }
}
