package io.hasp.memory;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One fault of the engine or of the in-memory server, made by a change in its source.
 *
 * @param file the source file, below {@code io/hasp}
 * @param original what is replaced; it occurs exactly once in the file
 * @param replacement what stands there instead
 */
record SourceMutant(String file, String original, String replacement) {
    private static final Path ENGINE = Path.of("..", "lock-api", "src", "main", "java", "io", "hasp");
    private static final Path MEMORY = Path.of("src", "main", "java", "io", "hasp");

    /** The changed source. */
    String source() throws IOException {
        Path path = (file.startsWith("memory/") ? MEMORY : ENGINE).resolve(file);
        String source = Files.readString(path, UTF_8);
        int first = source.indexOf(original);
        if (first < 0 || source.indexOf(original, first + 1) >= 0) {
            throw new AssertionError("a mutant does not apply any more: its text occurs "
                    + (first < 0 ? "nowhere" : "more than once") + " in " + file + ": " + original);
        }
        return source.replace(original, replacement);
    }

    /** As the compiler names it. */
    String className() {
        return "io.hasp." + file.substring(0, file.length() - ".java".length()).replace('/', '.');
    }
}
