package io.hasp.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files of a staged release, as a table for docs/internals/releasing.md. It says VERSION for the version. */
record StagedFiles(Path staging, String version) {
    private static final Pattern BESIDE = Pattern.compile("(.*)\\.(asc|md5|sha1|sha256|sha512)");
    private static final String HEADER = "| folders | files | beside each |\n|---|---|---|\n";

    /** One row for all folders with the same files. A file that lacks what others have beside them gets a row of its own. */
    String table() throws IOException {
        Map<String, Map<String, Set<String>>> folders = new TreeMap<>();
        for (Path file : files()) {
            Matcher beside = BESIDE.matcher(name(file));
            Set<String> suffixes = folders.computeIfAbsent(folder(file), any -> new TreeMap<>())
                    .computeIfAbsent(beside.matches() ? beside.group(1) : name(file), any -> new TreeSet<>());
            if (beside.matches()) {
                suffixes.add("`." + beside.group(2) + "`");
            }
        }
        Map<String, List<String>> rows = new TreeMap<>();
        folders.forEach((folder, files) -> rows(files)
                .forEach(row ->
                        rows.computeIfAbsent(row, any -> new ArrayList<>()).add("`" + folder + "`")));
        return rows.entrySet().stream()
                .map(row -> "| " + String.join(", ", row.getValue()) + " | " + row.getKey() + " |\n")
                .sorted()
                .collect(Collectors.joining("", HEADER, ""));
    }

    /** Without the repository's own files, which are not uploaded. */
    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(staging)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("maven-metadata"))
                    .toList();
        }
    }

    private static Stream<String> rows(Map<String, Set<String>> files) {
        return files.entrySet().stream()
                .collect(Collectors.groupingBy(
                        file -> String.join(", ", file.getValue()),
                        Collectors.mapping(file -> "`" + file.getKey() + "`", Collectors.joining(", "))))
                .entrySet()
                .stream()
                .map(row -> row.getValue() + " | " + row.getKey());
    }

    private String folder(Path file) {
        return staging.relativize(file.resolveSibling("")).toString().replace(version, "VERSION");
    }

    /** The name of the folder's artifact, and of its version, are left out. */
    private String name(Path file) {
        String artifact = String.valueOf(file.resolveSibling("..").normalize().getFileName());
        return file.getFileName()
                .toString()
                .replaceFirst("^" + Pattern.quote(artifact + "-" + version), "…")
                .replace(version, "VERSION");
    }
}
