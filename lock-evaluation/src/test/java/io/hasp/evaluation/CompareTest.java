package io.hasp.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.measure.Pace;
import io.hasp.evaluation.subject.Contestant;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole command, on real servers, as short as it can be. */
class CompareTest {
    private static final Pace SHORT =
            new Pace(1, Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofMillis(100));

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @Test
    void every_lock_is_measured_at_every_experiment_on_real_servers_and_none_is_left() throws IOException {
        int exit = hasp("compare", "--out", folder.toString());

        assertThat(exit).as(err.toString() + out).isZero();
        JsonNode root =
                new ObjectMapper().readTree(folder.resolve("results.json").toFile());
        int figures = Stream.of(Experiment.values())
                .flatMap(experiment -> experiment.workloads().stream())
                .mapToInt(workload -> workload.experiment().metrics().size())
                .sum();
        assertThat(root.path("measurements")).hasSize(figures * Contestant.values().length);
        assertThat(root.path("failures")).isEmpty();
        assertThat(texts(root.path("safety"), "subject")).containsAll(subjects());
        assertThat(root.path("safety")).allSatisfy(seen -> {
            assertThat(seen.path("holds").asLong()).isPositive();
            assertThat(seen.path("overlaps").asLong()).isZero();
            assertThat(seen.path("stale_tokens").asLong()).isZero();
        });
        assertThat(root.path("machine").path("versions").path("redis").asText()).startsWith("7.");
        assertThat(out.toString()).contains(subjects()).contains("UNCONTENDED", "DISTINCT", "CONTENDED", "against");
        assertThat(runningServers()).isEmpty();
    }

    @Test
    void only_what_was_asked_for_is_measured() throws IOException {
        int exit = hasp(
                "compare",
                "--only",
                "uncontended",
                "--subjects",
                "floor-redis,redisson-rlock",
                "--out",
                folder.toString());

        assertThat(exit).as(err.toString() + out).isZero();
        JsonNode root =
                new ObjectMapper().readTree(folder.resolve("results.json").toFile());
        assertThat(texts(root.path("measurements"), "experiment")).containsOnly("uncontended");
        assertThat(texts(root.path("measurements"), "subject")).containsOnly("redisson-rlock", "floor-redis");
        assertThat(out.toString()).doesNotContain("ZooKeeper", "DISTINCT");
    }

    private int hasp(String... arguments) {
        CommandLine line = Hasp.commandLine(new CompareCommand(SHORT, SHORT));
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }

    private static List<String> subjects() {
        return Stream.of(Contestant.values()).map(Contestant::label).toList();
    }

    private static List<String> texts(JsonNode array, String field) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(each -> each.path(field).asText())
                .toList();
    }

    private static List<String> runningServers() {
        return ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .map(process -> process.info().commandLine().orElse(""))
                .filter(command -> command.contains("redis") || command.contains("zoo"))
                .toList();
    }
}
