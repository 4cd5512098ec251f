package io.hasp.conformance.mutants;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A planted fault: a change of one source file. Immutable.
 *
 * @param name the fault's name in reports
 * @param file the source file of one of the modules, below {@code io/hasp}: {@code engine/lease/HeldLease.java}
 * @param original occurs exactly once in the file
 * @param replacement replaces it
 */
public record SourceMutant(String name, String file, String original, String replacement) {
    /** The repository; tests run in the folder of a module. */
    private static final Path ROOT = root();

    private static final Path SOURCES = Path.of("src", "main", "java", "io", "hasp");

    /**
     * Returns the changed source. Each call reads the file.
     *
     * @return the whole file
     * @throws AssertionError if the original does not occur exactly once
     * @throws IOException if the file can't be read
     */
    public String source() throws IOException {
        String source = Files.readString(path(), UTF_8);
        int first = source.indexOf(original);
        if (first < 0 || source.indexOf(original, first + 1) >= 0) {
            throw new AssertionError("mutant '" + name + "' does not apply any more: its text occurs "
                    + (first < 0 ? "nowhere" : "more than once") + " in " + file + ": " + original);
        }
        return source.replace(original, replacement);
    }

    private Path path() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            List<Path> found = modules.map(module -> module.resolve(SOURCES).resolve(file))
                    .filter(Files::exists)
                    .toList();
            if (found.size() != 1) {
                throw new AssertionError(
                        "mutant '" + name + "' does not apply any more: modules with " + file + ": " + found);
            }
            return found.get(0);
        }
    }

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        return Stream.iterate(here, Objects::nonNull, Path::getParent)
                .filter(folder -> Files.exists(folder.resolve("SPEC.md")))
                .findFirst()
                .orElse(here);
    }

    String className() {
        return "io.hasp." + file.substring(0, file.length() - ".java".length()).replace('/', '.');
    }

    @Override
    public String toString() {
        return name;
    }
}
