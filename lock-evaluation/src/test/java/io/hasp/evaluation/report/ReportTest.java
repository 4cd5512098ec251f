package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.evaluation.measure.Failure;
import io.hasp.evaluation.measure.Group;
import io.hasp.evaluation.measure.Safety;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Group GROUP = new Group("Somewhere", List.of("mine"), List.of("theirs"), List.of());

    @Test
    void the_table_shows_figures_ratios_and_their_spread() {
        String text = report(Map.of("mine", new Safety(5000, 0, 0, 0)), List.of());

        assertThat(text.lines().filter(line -> line.startsWith(" mine  ")))
                .singleElement()
                .asString()
                .contains("100 (90.0–120)", "250", "×3.00 (2.50–3.50)");
        assertThat(text).contains("5,000 holds watched", "median of 4 round(s)", "Somewhere", "against theirs");
    }

    @Test
    void a_figure_that_is_missing_is_said_to_have_failed_and_why() {
        String text = report(Map.of(), List.of(new Failure("uncontended", "theirs", 0, "the server went away")));

        assertThat(text.lines().filter(line -> line.startsWith(" theirs    ")))
                .first()
                .asString()
                .contains("failed");
        assertThat(text).contains("FAILED  theirs at uncontended", "the server went away");
    }

    @Test
    void a_safety_violation_is_told_loudly() {
        String text = report(Map.of("mine", new Safety(5000, 3, 2, 1)), List.of());

        assertThat(text)
                .contains("SAFETY VIOLATED by mine: 3 overlapping holds, 2 stale fencing tokens, 1 lost holds in 5,000")
                .doesNotContain("none overlapped");
    }

    private static String report(Map<String, Safety> safety, List<Failure> failures) {
        StringWriter text = new StringWriter();
        Machine machine = Machine.describe(Map.of());
        new Report(machine, SampleResults.results(safety, failures), List.of(GROUP)).print(new PrintWriter(text));
        return text.toString();
    }
}
