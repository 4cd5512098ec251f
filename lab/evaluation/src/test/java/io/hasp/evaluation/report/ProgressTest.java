package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(shown, true, StandardCharsets.UTF_8);

    @Test
    void a_log_gets_one_line_for_each_round() {
        tell(new ProgressLines(out));

        assertThat(shown.toString(StandardCharsets.UTF_8).lines())
                .satisfiesExactly(
                        warmUp -> assertThat(warmUp).isEqualTo("warm-up"),
                        round -> assertThat(round).startsWith("round 1 of 1, about "));
    }

    @Test
    void a_terminal_gets_one_line_that_never_exceeds_its_width_and_is_wiped_at_the_end() {
        tell(new ProgressBars(out, 60));

        String drawn = shown.toString(StandardCharsets.UTF_8);
        assertThat(drawn.split("\r"))
                .allSatisfy(line -> assertThat(line.strip()).hasSizeLessThanOrEqualTo(60));
        assertThat(drawn).contains("round 1/1 mine").matches("(?s).*\\r +\\s*");
    }

    private static void tell(LiveProgress progress) {
        try (progress) {
            progress.slice(0, 1, 0, 4, "mine", SampleResults.WORKLOAD);
            progress.slice(0, 1, 1, 4, "theirs", SampleResults.WORKLOAD);
            progress.slice(1, 1, 2, 4, "theirs", SampleResults.WORKLOAD);
            progress.slice(1, 1, 3, 4, "mine", SampleResults.WORKLOAD);
        }
    }
}
