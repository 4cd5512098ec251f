package io.hasp.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One fault of the engine, made by a change in its source.
 *
 * @param name says what is wrong, for the report
 * @param file the source file, below {@code io/hasp}
 * @param original what is replaced; it must occur exactly once in the file
 * @param replacement what stands there instead
 */
record Mutant(String name, String file, String original, String replacement) {
    static final Path SOURCES = Path.of("..", "lock-api", "src", "main", "java", "io", "hasp");

    /** The changed source. */
    String source() throws IOException {
        String source = Files.readString(SOURCES.resolve(file), UTF_8);
        int first = source.indexOf(original);
        if (first < 0 || source.indexOf(original, first + 1) >= 0) {
            throw new AssertionError("mutant '" + name + "' does not apply any more: its text occurs "
                    + (first < 0 ? "nowhere" : "more than once") + " in " + file + ": " + original);
        }
        return source.replace(original, replacement);
    }

    /** As the compiler names it. */
    String className() {
        return "io.hasp." + file.substring(0, file.length() - ".java".length()).replace('/', '.');
    }

    @Override
    public String toString() {
        return name;
    }
}
