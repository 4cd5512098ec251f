package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The libraries that Maven chooses for each combination, found in one run of it. */
record ClassPaths(Path folder) {
    private static final String FILE = "classpath.txt";

    static ClassPaths of(List<Combination> combinations, Path folder, LocalRepository repository)
            throws IOException, InterruptedException {
        for (Combination combination : combinations) {
            Path project = Files.createDirectories(folder.resolve(combination.name()));
            Files.writeString(project.resolve("pom.xml"), combination.pom(repository));
        }
        String modules = combinations.stream()
                .map(combination -> "<module>" + combination.name() + "</module>")
                .collect(Collectors.joining());
        Files.writeString(folder.resolve("pom.xml"), """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>com.example</groupId>
                  <artifactId>combinations</artifactId>
                  <version>1</version>
                  <packaging>pom</packaging>
                  <modules>%s</modules>
                </project>
                """.formatted(modules));
        Maven.run(
                folder,
                repository,
                "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath",
                "-Dmdep.outputFile=" + FILE);
        return new ClassPaths(folder);
    }

    List<Path> of(Combination combination) throws IOException {
        String classPath = Files.readString(folder.resolve(combination.name()).resolve(FILE));
        return Stream.of(classPath.strip().split(File.pathSeparator))
                .map(Path::of)
                .toList();
    }

    /** The only jar of an artifact. */
    Path jar(Combination combination, String artifact) throws IOException {
        List<Path> found = of(combination).stream()
                .filter(file -> file.getFileName().toString().matches("\\Q" + artifact + "\\E-\\d.*"))
                .toList();
        assertThat(found).as(artifact + " in " + combination).hasSize(1);
        return found.get(0);
    }
}
