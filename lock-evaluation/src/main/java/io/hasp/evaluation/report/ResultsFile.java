package io.hasp.evaluation.report;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hasp.evaluation.measure.Failure;
import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.measure.Ratio;
import io.hasp.evaluation.measure.Results;
import io.hasp.evaluation.measure.Safety;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** {@code results.json} in a directory that was found writable before anything was measured. */
public final class ResultsFile {
    /** Changes with the meaning or the name of a field, not with a field added. */
    static final String SCHEMA = "hasp-results/1";

    private final Path directory;

    private ResultsFile(Path directory) {
        this.directory = directory;
    }

    private record Content(
            String schema,
            Machine machine,
            List<Measurement> measurements,
            List<Ratio> ratios,
            List<Watched> safety,
            List<Failure> failures) {}

    private record Watched(String subject, long holds, long overlaps, long staleTokens, long lostHolds) {
        static Watched of(String subject, Safety seen) {
            return new Watched(subject, seen.holds(), seen.overlaps(), seen.staleTokens(), seen.lostHolds());
        }
    }

    /**
     * Makes sure that results can be written: creates the directory if need be, and a file in it for a moment.
     *
     * @param directory where to write
     * @return the file to write later
     * @throws IOException if that won't do
     */
    public static ResultsFile in(Path directory) throws IOException {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new IOException("it is not a directory");
        }
        Files.createDirectories(directory);
        ResultsFile file = new ResultsFile(directory);
        if (Files.isDirectory(file.path())) {
            throw new IOException(file.path() + " is a directory");
        }
        Files.delete(Files.createTempFile(directory, "results", ".json"));
        return file;
    }

    /**
     * Where it is.
     *
     * @return the path of the file
     */
    public Path path() {
        return directory.resolve("results.json");
    }

    /**
     * Writes, in the place of an earlier file. A reader finds the old content or the new, never half of one.
     *
     * @param machine what was measured on
     * @param results what was found
     * @throws IOException if that can't be done
     */
    public void write(Machine machine, Results results) throws IOException {
        JsonMapper json = JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build();
        List<Watched> safety = results.safety().entrySet().stream()
                .map(seen -> Watched.of(seen.getKey(), seen.getValue()))
                .toList();
        Path draft = directory.resolve("results.json.part");
        json.writeValue(
                draft.toFile(),
                new Content(SCHEMA, machine, results.measurements(), results.ratios(), safety, results.failures()));
        Files.move(draft, path(), StandardCopyOption.REPLACE_EXISTING);
    }
}
