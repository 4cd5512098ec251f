package io.hasp.evaluation.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.measure.Results;
import io.hasp.evaluation.measure.ServiceGroup;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * The directory for {@code results.json}, {@code results.csv} and {@code report.html}, found writable before anything
 * is measured.
 */
public final class ResultsFolder {
    private static final String JSON = "results.json";
    private static final String CSV = "results.csv";
    private static final String HTML = "report.html";

    private final Path directory;

    private ResultsFolder(Path directory) {
        this.directory = directory;
    }

    /**
     * Makes sure that results can be written: creates the directory if need be, and a file in it for a moment.
     *
     * @param directory where to write
     * @return the folder to write to later
     * @throws IOException if results can't be written there
     */
    public static ResultsFolder in(Path directory) throws IOException {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new IOException("it is not a directory");
        }
        Files.createDirectories(directory);
        for (String name : List.of(JSON, CSV, HTML)) {
            if (Files.isDirectory(directory.resolve(name))) {
                throw new IOException(directory.resolve(name) + " is a directory");
            }
        }
        Files.delete(Files.createTempFile(directory, "results", ".json"));
        return new ResultsFolder(directory);
    }

    /**
     * The files that are written.
     *
     * @return the paths of the files, the one for people last
     */
    public List<Path> files() {
        return List.of(directory.resolve(JSON), directory.resolve(CSV), directory.resolve(HTML));
    }

    /**
     * Writes, in the place of earlier files. A reader finds the old content of a file or the new, never half of one.
     *
     * @param run how it was measured
     * @param machine what was measured on
     * @param results what was found
     * @param groups which subjects belong together
     * @throws IOException if that can't be done, as on a full disk: the message names the file and the reason
     */
    public void write(Run run, Machine machine, Results results, List<ServiceGroup> groups) throws IOException {
        Guarantees guarantees = Guarantees.shipped();
        ResultsDocument document = ResultsDocument.of(run, machine, results, groups, guarantees);
        String json = json().writeValueAsString(document);
        String csv = csv(document.measurements());
        replace(JSON, json);
        replace(CSV, csv);
        replace(HTML, new Page(document, guarantees.rules()).html(json, csv));
    }

    /** Returns the JSON format of {@code results.json}. */
    static JsonMapper json() {
        return JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build();
    }

    /** RFC 4180: one line for each measurement, without the figures of its rounds. */
    static String csv(List<Measurement> measurements) throws IOException {
        CsvMapper mapper = CsvMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .build();
        CsvSchema.Builder columns = CsvSchema.builder();
        mapper.schemaFor(Measurement.class).forEach(column -> {
            if (!List.of("rounds", "forks").contains(column.getName())) {
                columns.addColumn(column.getName(), column.getType());
            }
        });
        return mapper.writer(columns.setUseHeader(true).setLineSeparator("\r\n").build())
                .with(JsonGenerator.Feature.IGNORE_UNKNOWN)
                .writeValueAsString(measurements);
    }

    /** The draft has the number of this process: two runs may write to one folder. */
    private void replace(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Path draft = directory.resolve(name + "." + ProcessHandle.current().pid() + ".part");
        try {
            Files.writeString(draft, text);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            Files.deleteIfExists(draft);
            throw new IOException("can't write " + file + ": " + reason(e), e);
        }
    }

    /**
     * Returns the reason of a failure. Some exceptions of file systems have it in their class only, and just the path as message.
     *
     * @param failure of a file or a folder
     * @return in words
     */
    public static String reason(IOException failure) {
        boolean named = failure instanceof FileSystemException file && file.getReason() == null;
        String words = named ? failure.getClass().getSimpleName().replace("Exception", "") + ": " : "";
        return words + failure.getMessage();
    }
}
