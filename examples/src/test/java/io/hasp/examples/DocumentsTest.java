package io.hasp.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documents can be trusted: their Java code is compiled code of this project, and their links lead somewhere. */
class DocumentsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern SNIPPET = Pattern.compile("^```java\\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");

    static List<Path> documents() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> examples = Files.walk(ROOT.resolve("examples/src"))) {
            return Stream.of(top, docs, examples)
                    .flatMap(files -> files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void every_java_snippet_is_compiled_code(Path document) throws IOException {
        List<String> sources = sources();
        Matcher snippet = SNIPPET.matcher(Files.readString(document));
        while (snippet.find()) {
            String code = normal(snippet.group(1));
            assertThat(sources.stream().anyMatch(source -> source.contains(code)))
                    .as("a source contains this snippet of " + ROOT.relativize(document) + ":\n" + code)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void every_link_leads_somewhere(Path document) throws IOException {
        Matcher link = LINK.matcher(Files.readString(document));
        List<String> dead = new ArrayList<>();
        while (link.find()) {
            String target = link.group(1);
            if (!target.contains("://") && !resolves(document, target)) {
                dead.add(target);
            }
        }
        assertThat(dead).as("dead links in " + ROOT.relativize(document)).isEmpty();
    }

    private static boolean resolves(Path document, String target) throws IOException {
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path file = path.isEmpty() ? document : document.resolveSibling(path);
        if (!Files.exists(file)) {
            return false;
        }
        return hash < 0 || anchors(file).contains(target.substring(hash + 1));
    }

    /** As web sites make them of headings. */
    private static List<String> anchors(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ *", "").toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .toList();
    }

    private static List<String> sources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(".java")
                            && !file.toString().contains("/target/"))
                    .map(DocumentsTest::read)
                    .map(DocumentsTest::normal)
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Indentation, alignment and line breaks belong to the place, not to the code. */
    private static String normal(String code) {
        return code.strip().replaceAll("\\s+", " ");
    }
}
