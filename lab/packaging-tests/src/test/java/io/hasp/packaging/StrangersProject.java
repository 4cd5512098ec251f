package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Maven project outside of this repository, built by the Maven that builds this one, on artifacts installed for it. */
final class StrangersProject {
    private static final String POM = """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>com.example</groupId>
              <artifactId>stranger</artifactId>
              <version>1</version>
              <properties>
                <maven.compiler.release>17</maven.compiler.release>
                <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
              </properties>
              %s
              <dependencies>
            %s  </dependencies>
              <build>
                <plugins>
                  <plugin><artifactId>maven-resources-plugin</artifactId><version>3.5.0</version></plugin>
                  <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.14.1</version></plugin>
                  <plugin><artifactId>maven-dependency-plugin</artifactId><version>3.9.0</version></plugin>
                  <plugin>
                    <artifactId>maven-enforcer-plugin</artifactId>
                    <version>3.6.2</version>
                    <configuration><rules><requireUpperBoundDeps/></rules></configuration>
                  </plugin>
                </plugins>
              </build>
            </project>
            """;

    private final Path folder;
    private final LocalRepository repository;

    StrangersProject(Path folder, LocalRepository repository) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.repository = repository;
    }

    /** Takes artifacts of Hasp by their names, and others as {@code group:artifact:version}. */
    void dependsOn(String... artifacts) throws IOException {
        String dependencies = Stream.of(artifacts).map(this::dependency).collect(Collectors.joining());
        Files.writeString(folder.resolve("pom.xml"), POM.formatted(repository.element(), dependencies));
    }

    private String dependency(String artifact) {
        String[] parts =
                (artifact.contains(":") ? artifact : "io.hasp:" + artifact + ":" + repository.version()).split(":");
        return "    <dependency><groupId>" + parts[0] + "</groupId><artifactId>" + parts[1] + "</artifactId><version>"
                + parts[2] + "</version></dependency>\n";
    }

    void writes(String program) throws IOException {
        Files.writeString(
                Files.createDirectories(folder.resolve("src/main/java")).resolve("App.java"), program);
    }

    /** Compiles it with Maven, which must find no conflict between the libraries, and runs it. */
    String runs(String uri) throws IOException, InterruptedException {
        for (Path file : libraryFiles()) {
            Files.delete(file);
        }
        Maven.run(folder, repository, "enforcer:enforce", "compile", "dependency:copy-dependencies");
        Program program = Program.java(
                Map.of(),
                "-cp",
                folder.resolve("target/classes") + ":" + folder.resolve("target/dependency/*"),
                "App",
                uri);
        assertThat(program.exit()).as(program.said()).isZero();
        return program.said();
    }

    /** Fails if a library gets an older version of another library than it requires. */
    void checksConflicts() throws IOException, InterruptedException {
        Maven.run(folder, repository, "enforcer:enforce");
    }

    /** The libraries that Maven brought for it. */
    List<String> libraries() throws IOException {
        return libraryFiles().stream()
                .map(file -> file.getFileName().toString().replaceFirst("-\\d.*", ""))
                .toList();
    }

    private List<Path> libraryFiles() throws IOException {
        Path libraries = folder.resolve("target/dependency");
        if (!Files.exists(libraries)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(libraries)) {
            return files.toList();
        }
    }
}
