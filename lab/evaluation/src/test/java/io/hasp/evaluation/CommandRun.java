package io.hasp.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.hasp.evaluation.measure.Schedule;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine;

/**
 * One run of {@code hasp compare} in this process.
 *
 * @param exit its exit code
 * @param out what it wrote to standard output
 * @param err what it wrote to standard error
 * @param results its results.json; missing if it wrote none
 */
record CommandRun(int exit, String out, String err, JsonNode results) {

    static CommandRun of(Schedule schedule, Path folder, String... arguments) throws IOException {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Hasp.commandLine(new CompareCommand(tier -> schedule));
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        int exit = line.execute(
                Stream.of(Stream.of("compare"), Stream.of(arguments), Stream.of("--out", folder.toString()))
                        .flatMap(part -> part)
                        .toArray(String[]::new));
        Path file = folder.resolve("results.json");
        JsonNode results = Files.exists(file) ? new ObjectMapper().readTree(file.toFile()) : MissingNode.getInstance();
        return new CommandRun(exit, out.toString(), err.toString(), results);
    }

    String said() {
        return err + out;
    }

    double figure(String subject, String metric) {
        return StreamSupport.stream(results.path("measurements").spliterator(), false)
                .filter(each -> each.path("subject").asText().equals(subject)
                        && each.path("metric").asText().equals(metric))
                .findFirst()
                .orElseThrow(() -> new AssertionError(metric + " of " + subject + " is missing: " + said()))
                .path("median")
                .asDouble();
    }

    /** Of this process, without what guards them. */
    static List<String> childProcesses() {
        return ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .map(process -> process.info().commandLine().orElse(""))
                .filter(command -> !command.contains("hasp-process-guard"))
                .toList();
    }
}
