package io.hasp.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The documents of this project and the Java code in them. */
final class Documents {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern SNIPPET = Pattern.compile("^```java\\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);

    /**
     * A piece of Java code that a document shows.
     *
     * @param document where it stands
     * @param code as it stands there
     */
    record Snippet(Path document, String code) {
        @Override
        public String toString() {
            return ROOT.relativize(document) + ": "
                    + code.strip().lines().findFirst().orElse("");
        }
    }

    private Documents() {}

    static List<Path> all() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> guide = Files.list(ROOT.resolve("examples"));
                Stream<Path> examples = Files.walk(ROOT.resolve("examples/src"))) {
            return Stream.of(top, docs, guide, examples)
                    .flatMap(files -> files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    static Stream<Snippet> snippets(Path document) {
        return SNIPPET.matcher(read(document)).results().map(found -> new Snippet(document, found.group(1)));
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Indentation, alignment and line breaks belong to the place, not to the code. */
    static String normal(String code) {
        return code.strip().replaceAll("\\s+", " ");
    }
}
