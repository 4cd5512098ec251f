package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.evaluation.measure.Ratio;
import io.hasp.evaluation.measure.Results;
import io.hasp.evaluation.measure.ServiceGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EarlierResultsTest {
    @TempDir
    private Path folder;

    @Test
    void a_ratio_that_fell_below_the_limit_and_out_of_the_interval_is_worse() throws IOException {
        assertThat(complaint(0.5, 0.6, 4))
                .hasValueSatisfying(words -> assertThat(words)
                        .startsWith("worse than in ")
                        .contains("mine against theirs at uncontended", "×0.50", "was ×1.00"));
        assertThat(complaint(0.5, 1.1, 4)).as("within the interval").isEmpty();
        assertThat(complaint(0.95, 0.96, 4)).as("above the limit").isEmpty();
    }

    /** Of few rounds there is no interval, and one disturbed round must not fail a build as if it were one. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void fewer_than_four_rounds_are_too_few_to_call_a_lock_worse(int rounds) throws IOException {
        assertThat(complaint(0.5, 0.6, rounds))
                .hasValueSatisfying(words -> assertThat(words)
                        .contains("fewer than four rounds", "--rounds")
                        .doesNotContain("worse"));
    }

    private Optional<String> complaint(double median, double high, int rounds) throws IOException {
        Path file = folder.resolve("results.json");
        Files.writeString(file, ResultsFolder.json().writeValueAsString(document(1, 1.1, 15)));
        return EarlierResults.read(file, 0.9).complaint(document(median, high, rounds));
    }

    private static ResultsDocument document(double median, double high, int rounds) {
        Results whole = SampleResults.results(Map.of(), List.of());
        Results results = new Results(
                whole.workloads(),
                whole.subjects(),
                whole.measurements(),
                List.of(new Ratio("uncontended", "mine", "theirs", 1, 1, 0, "cycle_p50", median, 0.4, high, rounds)),
                whole.safety(),
                whole.failures(),
                false);
        return ResultsDocument.of(
                Run.of(List.of("compare"), Duration.ZERO, false),
                Machine.describe(Map.of()),
                results,
                List.of(new ServiceGroup("Somewhere", List.of("mine"), List.of("theirs"), List.of())),
                Guarantees.shipped());
    }
}
