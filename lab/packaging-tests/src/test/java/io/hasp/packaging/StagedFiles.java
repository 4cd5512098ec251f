package io.hasp.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The list of the files of a staged release, as a table for docs/internals/releasing.md. It says VERSION for the version. */
record StagedFiles(Path staging, String version) {
    private static final Pattern BESIDE = Pattern.compile("(.*)\\.(asc|md5|sha1|sha256|sha512)");
    private static final String HEADER = "| folder | files | beside each |\n|---|---|---|\n";

    /** One row for each folder. A file that lacks what the others of its folder have beside them gets a row of its own. */
    String table() throws IOException {
        Map<String, Map<String, Set<String>>> folders = new TreeMap<>();
        for (Path file : files()) {
            String folder = staging.relativize(file.getParent()).toString();
            String name = file.getFileName().toString();
            Matcher beside = BESIDE.matcher(name);
            Set<String> suffixes = folders.computeIfAbsent(folder, any -> new TreeMap<>())
                    .computeIfAbsent(beside.matches() ? beside.group(1) : name, any -> new TreeSet<>());
            if (beside.matches()) {
                suffixes.add("`." + beside.group(2) + "`");
            }
        }
        return folders.entrySet().stream()
                .flatMap(folder -> rows(folder.getKey(), folder.getValue()))
                .collect(Collectors.joining("\n", HEADER, "\n"));
    }

    /** Without the repository's own files, which are not uploaded. */
    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(staging)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("maven-metadata"))
                    .toList();
        }
    }

    private Stream<String> rows(String folder, Map<String, Set<String>> files) {
        Map<String, List<String>> bySuffixes = files.entrySet().stream()
                .collect(Collectors.groupingBy(
                        file -> String.join(", ", file.getValue()),
                        TreeMap::new,
                        Collectors.mapping(file -> "`" + general(file.getKey()) + "`", Collectors.toList())));
        return bySuffixes.entrySet().stream()
                .map(row -> "| `" + general(folder) + "` | " + String.join(", ", row.getValue()) + " | " + row.getKey()
                        + " |");
    }

    private String general(String text) {
        return text.replace(version, "VERSION");
    }
}
