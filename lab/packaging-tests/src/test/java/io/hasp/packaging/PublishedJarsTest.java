package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The content that an IDE shows beside a library: its sources, and in a release its javadoc. */
class PublishedJarsTest {
    static List<String> artifacts() {
        return LocalRepository.ARTIFACTS;
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void every_class_has_its_source(String artifact) throws IOException {
        Set<String> sources = entries(artifact, "-sources");
        List<String> classes = entries(artifact, "").stream()
                .filter(entry -> entry.endsWith(".class"))
                .toList();
        assertThat(classes).isNotEmpty();
        assertThat(classes)
                .allSatisfy(name -> assertThat(sources).contains(name.replaceFirst("(\\$.*)?\\.class$", ".java")));
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    @EnabledIfSystemProperty(
            named = "hasp.test.javadoc",
            matches = "javadoc true",
            disabledReason = "made by -Prelease")
    void a_release_has_javadoc(String artifact) throws IOException {
        assertThat(entries(artifact, "-javadoc"))
                .contains("index.html")
                .anyMatch(entry -> entry.endsWith("package-summary.html"));
    }

    @Test
    void the_bom_has_all_of_them() throws IOException {
        assertThat(Files.readString(Path.of("../../bom/pom.xml")))
                .contains(artifacts().stream()
                        .map(artifact -> "<artifactId>" + artifact + "</artifactId>")
                        .toList())
                .contains("<artifactId>" + LocalRepository.STARTER + "</artifactId>");
    }

    private static Set<String> entries(String artifact, String classifier) throws IOException {
        Path jar = LocalRepository.built(artifact, classifier);
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream().map(ZipEntry::getName).collect(Collectors.toSet());
        }
    }
}
