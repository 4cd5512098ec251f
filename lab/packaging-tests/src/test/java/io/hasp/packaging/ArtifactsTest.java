package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/**
 * The table of docs/artifacts.md is what the build makes: dependencies exactly, sizes nearly, since each commit changes them a little.
 * {@code -Dhasp.figures=write} writes the file and the table.
 */
class ArtifactsTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path PAGE = ROOT.resolve("docs/artifacts.md");
    private static final Path FIGURES = ROOT.resolve("docs/results/artifacts.csv");
    private static final Pattern TABLE =
            Pattern.compile("(?s)(?<=<!-- figures of docs/results/artifacts.csv -->\n).*?(?=<!-- end of figures -->)");
    private static final String HEADER = "artifact;jar, KB;brings;optional";
    private static final Percentage TOLERANCE = Percentage.withPercentage(15);

    private record Row(String artifact, long kilobytes, String brings, String optional) {
        static Row of(String line) {
            String[] cells = line.split(";", -1);
            return new Row(cells[0], Long.parseLong(cells[1]), cells[2], cells[3]);
        }

        static Row built(String artifact) throws IOException {
            PublishedPom pom =
                    PublishedPom.read(LocalRepository.folder(artifact).resolve("target/published-pom.xml"));
            long bytes = Files.size(LocalRepository.built(artifact, ""));
            return new Row(
                    artifact,
                    Math.max(1, Math.round(bytes / 1000.0)),
                    names(
                            pom,
                            dependency -> !dependency.optional()
                                    && !dependency.scope().equals("provided")),
                    names(pom, PublishedPom.Dependency::optional));
        }

        private static String names(PublishedPom pom, Predicate<PublishedPom.Dependency> wanted) {
            return pom.dependencies().stream()
                    .filter(wanted)
                    .map(dependency -> dependency.coordinates().split(":")[1])
                    .sorted()
                    .collect(Collectors.joining(", "));
        }

        String line(String separator) {
            return String.join(separator, artifact, String.valueOf(kilobytes), brings, optional);
        }
    }

    @Test
    void the_table_of_artifacts_is_what_the_build_makes() throws IOException {
        List<Row> built = new ArrayList<>();
        for (String artifact : Stream.concat(LocalRepository.ARTIFACTS.stream(), Stream.of(LocalRepository.STARTER))
                .toList()) {
            built.add(Row.built(artifact));
        }
        if ("write".equals(System.getProperty("hasp.figures"))) {
            write(built);
        }
        List<Row> published =
                Files.readAllLines(FIGURES).stream().skip(1).map(Row::of).toList();
        assertThat(Files.readString(PAGE)).contains(table(published));
        assertThat(published).hasSameSizeAs(built).zipSatisfy(built, ArtifactsTest::assertNear);
    }

    @Test
    void another_size_or_dependency_is_noticed() {
        Row row = new Row("lock-a", 100, "lock-api", "");
        assertNear(row, new Row("lock-a", 110, "lock-api", ""));
        for (Row other : List.of(
                new Row("lock-a", 130, "lock-api", ""),
                new Row("lock-a", 100, "lock-api, guava", ""),
                new Row("lock-a", 100, "lock-api", "guava"))) {
            assertThat(catchThrowable(() -> assertNear(row, other))).isInstanceOf(AssertionError.class);
        }
    }

    private static void assertNear(Row published, Row built) {
        assertThat(published)
                .as("docs/artifacts.md; -Dhasp.figures=write writes it")
                .usingRecursiveComparison()
                .ignoringFields("kilobytes")
                .isEqualTo(built);
        assertThat(published.kilobytes())
                .as("the size of " + built.artifact() + "; -Dhasp.figures=write writes it")
                .satisfiesAnyOf(
                        size -> assertThat(size).isCloseTo(built.kilobytes(), TOLERANCE),
                        size -> assertThat(size).isCloseTo(built.kilobytes(), within(2L)));
    }

    private static void write(List<Row> rows) throws IOException {
        Files.write(
                FIGURES,
                Stream.concat(Stream.of(HEADER), rows.stream().map(row -> row.line(";")))
                        .toList());
        Files.writeString(
                PAGE, TABLE.matcher(Files.readString(PAGE)).replaceFirst(Matcher.quoteReplacement(table(rows))));
    }

    private static String table(List<Row> rows) {
        return Stream.concat(
                        Stream.of("| " + HEADER.replace(";", " | ") + " |", "|---|---|---|---|"),
                        rows.stream().map(row -> "| " + row.line(" | ") + " |"))
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
