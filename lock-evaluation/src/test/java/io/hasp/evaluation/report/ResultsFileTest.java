package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hasp.evaluation.measure.Safety;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsFileTest {
    @TempDir
    private Path folder;

    @Test
    void a_measurement_has_exactly_the_fields_of_the_schema() throws IOException {
        JsonNode root = written(folder.resolve("deep/inside"));

        assertThat(names(root)).contains("schema", "machine", "measurements");
        assertThat(root.path("schema").asText()).isEqualTo(ResultsFile.SCHEMA);
        assertThat(names(root.path("measurements").path(0)))
                .containsExactly(
                        "experiment",
                        "subject",
                        "threads",
                        "processes",
                        "hold_ms",
                        "metric",
                        "unit",
                        "median",
                        "low",
                        "high",
                        "n");
        assertThat(root.path("measurements").path(0).toString())
                .isEqualTo("{\"experiment\":\"uncontended\",\"subject\":\"mine\",\"threads\":1,\"processes\":1,"
                        + "\"hold_ms\":0,\"metric\":\"cycle_p50\",\"unit\":\"us\","
                        + "\"median\":100.0,\"low\":90.0,\"high\":120.0,\"n\":4}");
        assertThat(root.path("machine").path("cores").asInt()).isPositive();
        assertThat(root.path("ratios").path(0).path("reference").asText()).isEqualTo("theirs");
        assertThat(root.path("safety").path(0).path("holds").asLong()).isEqualTo(7);
    }

    @Test
    void an_earlier_file_is_replaced_and_nothing_else_is_left() throws IOException {
        Files.writeString(folder.resolve("results.json"), "old");

        assertThat(written(folder).path("measurements")).hasSize(3);

        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(folder.resolve("results.json"));
        }
    }

    @Test
    void a_directory_that_cannot_be_is_refused_at_once() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");

        assertThatIOException().isThrownBy(() -> ResultsFile.in(file));
        assertThatIOException().isThrownBy(() -> ResultsFile.in(file.resolve("below")));
    }

    @Test
    void a_directory_in_the_place_of_the_file_is_refused_at_once() throws IOException {
        Files.createDirectory(folder.resolve("results.json"));

        assertThatIOException().isThrownBy(() -> ResultsFile.in(folder)).withMessageContaining("is a directory");
    }

    private static JsonNode written(Path directory) throws IOException {
        ResultsFile file = ResultsFile.in(directory);
        file.write(
                Machine.describe(Map.of("redis", "7")),
                SampleResults.results(Map.of("mine", new Safety(7, 0, 0, 0)), List.of()));
        return new ObjectMapper().readTree(file.path().toFile());
    }

    private static List<String> names(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
