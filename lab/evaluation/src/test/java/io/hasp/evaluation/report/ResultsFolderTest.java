package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hasp.evaluation.measure.Safety;
import io.hasp.evaluation.measure.ServiceGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsFolderTest {
    private static final ServiceGroup GROUP =
            new ServiceGroup("Somewhere", List.of("mine"), List.of("theirs"), List.of());

    @TempDir
    private Path folder;

    @Test
    void a_measurement_has_exactly_the_fields_of_the_schema() throws IOException {
        JsonNode root = written(folder.resolve("deep/inside"));

        assertThat(names(root)).contains("schema", "machine", "measurements");
        assertThat(root.path("schema").asText()).isEqualTo(ResultsDocument.SCHEMA);
        assertThat(names(root.path("measurements").path(0)))
                .containsExactly(
                        "experiment",
                        "subject",
                        "threads",
                        "processes",
                        "hold_ms",
                        "at",
                        "metric",
                        "unit",
                        "median",
                        "low",
                        "high",
                        "n",
                        "rounds",
                        "forks");
        assertThat(root.path("measurements").path(0).toString())
                .isEqualTo("{\"experiment\":\"uncontended\",\"subject\":\"mine\",\"threads\":1,\"processes\":1,"
                        + "\"hold_ms\":0,\"at\":0.0,\"metric\":\"cycle_p50\",\"unit\":\"us\","
                        + "\"median\":100.0,\"low\":90.0,\"high\":120.0,\"n\":4,\"rounds\":[],\"forks\":[]}");
        assertThat(root.path("machine").path("cores").asInt()).isPositive();
        assertThat(root.path("ratios").path(0).path("reference").asText()).isEqualTo("theirs");
        assertThat(root.path("safety").path(0).path("holds").asLong()).isEqualTo(7);
    }

    @Test
    void an_earlier_file_is_replaced_and_nothing_else_is_left() throws IOException {
        Files.writeString(folder.resolve("results.json"), "old");

        assertThat(written(folder).path("measurements")).hasSize(3);

        try (var left = Files.list(folder)) {
            assertThat(left)
                    .containsExactlyInAnyOrder(
                            folder.resolve("results.json"),
                            folder.resolve("results.csv"),
                            folder.resolve("report.html"));
        }
    }

    @Test
    void a_reader_finds_each_earlier_file_at_any_time_while_it_is_replaced() throws Exception {
        written(folder);
        try (WatchService watch = folder.getFileSystem().newWatchService()) {
            folder.register(watch, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);

            written(folder);
            Path last = Files.createFile(folder.resolve("last"));

            List<String> removed = new ArrayList<>();
            boolean all = false;
            while (!all) {
                WatchKey key = watch.take();
                for (WatchEvent<?> event : key.pollEvents()) {
                    if (event.kind().equals(StandardWatchEventKinds.ENTRY_DELETE)) {
                        removed.add(String.valueOf(event.context()));
                    }
                    all |= last.endsWith(String.valueOf(event.context()));
                }
                key.reset();
            }
            assertThat(removed).isNotEmpty().doesNotContain("results.json", "results.csv", "report.html");
        }
    }

    @Test
    void two_runs_that_write_to_one_folder_have_drafts_of_their_own() throws IOException {
        Path other = Files.writeString(folder.resolve("results.json.part"), "half of the other run's");

        written(folder);

        assertThat(other).hasContent("half of the other run's");
    }

    @Test
    void what_can_not_be_written_is_named_and_leaves_no_draft() throws IOException {
        ResultsFolder results = ResultsFolder.in(folder);
        Path inTheWay = Files.createDirectories(folder.resolve("report.html/full"));

        assertThatIOException()
                .isThrownBy(() -> results.write(
                        Run.of(List.of("compare"), Duration.ZERO, false),
                        Machine.describe(Map.of()),
                        SampleResults.results(Map.of(), List.of()),
                        List.of(GROUP)))
                .withMessageContaining("can't write " + folder.resolve("report.html") + ": ");

        try (var left = Files.list(folder)) {
            assertThat(left)
                    .containsExactlyInAnyOrder(
                            folder.resolve("results.json"), folder.resolve("results.csv"), inTheWay.getParent());
        }
    }

    @Test
    void a_directory_that_cannot_be_is_refused_at_once() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");

        assertThatIOException().isThrownBy(() -> ResultsFolder.in(file));
        assertThatIOException().isThrownBy(() -> ResultsFolder.in(file.resolve("below")));
    }

    @Test
    void a_directory_in_the_place_of_a_file_is_refused_at_once() throws IOException {
        Files.createDirectory(folder.resolve("report.html"));

        assertThatIOException().isThrownBy(() -> ResultsFolder.in(folder)).withMessageContaining("is a directory");
    }

    @Test
    void each_measurement_is_a_line_that_any_reader_of_csv_takes() throws IOException {
        written(folder);

        String text = Files.readString(folder.resolve("results.csv"));
        assertThat(text.split("\r\n"))
                .hasSize(4)
                .startsWith(
                        "experiment,subject,threads,processes,hold_ms,at,metric,unit,median,low,high,n",
                        "uncontended,mine,1,1,0,0.0,cycle_p50,us,100.0,90.0,120.0,4");
        assertThat(text).endsWith("\r\n");
    }

    @Test
    void what_was_written_can_be_read_back_whole() throws IOException {
        written(folder);

        String json = Files.readString(folder.resolve("results.json"));
        ResultsDocument document = ResultsFolder.json().readValue(json, ResultsDocument.class);

        assertThat(ResultsFolder.json().writeValueAsString(document)).isEqualTo(json);
    }

    @Test
    void a_password_in_the_command_is_written_nowhere() throws IOException {
        ResultsFolder results = ResultsFolder.in(folder);
        Run run = Run.of(List.of("compare", "--backend", "redis://user:secret@host:6379"), Duration.ZERO, false);
        results.write(run, Machine.describe(Map.of()), SampleResults.results(Map.of(), List.of()), List.of(GROUP));

        for (Path file : results.files()) {
            assertThat(Files.readString(file)).doesNotContain("secret");
        }
        assertThat(run.command()).isEqualTo("./hasp compare --backend redis://…@host:6379");
        assertThat(Run.of(List.of("--backend", "redis://user:se@cret@host:6379/0?keyPrefix=a"), Duration.ZERO, false)
                        .command())
                .as("a password with a sign that was not encoded")
                .isEqualTo("./hasp --backend redis://…@host:6379/0?keyPrefix=a");
    }

    private static JsonNode written(Path directory) throws IOException {
        ResultsFolder results = ResultsFolder.in(directory);
        results.write(
                Run.of(List.of("compare"), Duration.ofSeconds(50), false),
                Machine.describe(Map.of("redis", "7")),
                SampleResults.results(Map.of("mine", new Safety(7, 0, 0, 0)), List.of()),
                List.of(GROUP));
        return new ObjectMapper().readTree(results.files().get(0).toFile());
    }

    private static List<String> names(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
