package io.hasp.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A local Maven repository with this build's artifacts in it, as {@code mvn install} leaves them. Everything else is shared,
 * by links, with the repository that this build itself uses, so that nothing is downloaded again and nothing of Hasp's
 * gets there.
 */
record LocalRepository(Path path, String version) {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    /** All that others depend on, but for the POMs. */
    static final List<String> ARTIFACTS = List.of(
            "lock-api",
            "lock-memory",
            "lock-test",
            "lock-redis",
            "lock-zookeeper",
            "lock-postgres",
            "lock-guice",
            "lock-spring-boot",
            "lock-spring-boot3",
            "lock-micrometer",
            "lock-spring-integration",
            "lock-conformance-tests");

    private static final String PUBLISHED_POM = "target/published-pom.xml";

    /** It has dependencies and no code. */
    static final String STARTER = "lock-spring-boot-starter";

    /** Beside Hasp's own group, and shared before anything is in them: each run would download it again. */
    private static final List<String> GROUPS_OF_BOOT =
            List.of("grpc", "micrometer", "opentelemetry", "prometheus", "rest-assured", "rsocket", "zipkin");

    static LocalRepository in(Path folder, Path shared) throws IOException {
        Path io = Files.createDirectories(folder.resolve("io"));
        linkAll(shared, folder);
        for (String group : GROUPS_OF_BOOT) {
            Files.createDirectories(shared.resolve("io").resolve(group));
        }
        linkAll(shared.resolve("io"), io);
        String version = readVersion();
        LocalRepository repository = new LocalRepository(folder, version);
        repository.install("hasp-bom", ROOT.resolve("bom").resolve(PUBLISHED_POM), "pom");
        for (String artifact :
                Stream.concat(ARTIFACTS.stream(), Stream.of(STARTER)).toList()) {
            repository.install(artifact, folder(artifact).resolve(PUBLISHED_POM), "pom");
            repository.install(artifact, built(artifact, ""), "jar");
        }
        return repository;
    }

    /** A jar in this build: the library itself, or with a classifier such as {@code -sources}. */
    static Path built(String artifact, String classifier) throws IOException {
        return folder(artifact).resolve("target/" + artifact + "-" + readVersion() + classifier + ".jar");
    }

    /** Artifacts of integrations are in a folder of their own, whose name is shorter. */
    static Path folder(String artifact) {
        Path flat = ROOT.resolve(artifact);
        return Files.exists(flat) ? flat : ROOT.resolve("integrations").resolve(artifact.replaceFirst("^lock-", ""));
    }

    private static String readVersion() throws IOException {
        return Files.readString(ROOT.resolve("bom").resolve(PUBLISHED_POM))
                .replaceFirst("(?s).*?<artifactId>hasp-bom</artifactId>\\s*<version>([^<]*)<.*", "$1");
    }

    private static void linkAll(Path from, Path to) throws IOException {
        try (Stream<Path> entries = Files.list(from)) {
            for (Path entry : entries.toList()) {
                Path link = to.resolve(entry.getFileName());
                if (Files.isDirectory(entry) && !Files.exists(link) && !link.endsWith("io/hasp")) {
                    Files.createSymbolicLink(link, entry);
                }
            }
        }
    }

    private void install(String artifact, Path file, String type) throws IOException {
        Path folder = Files.createDirectories(
                path.resolve("io/hasp").resolve(artifact).resolve(version));
        Files.copy(file, folder.resolve(artifact + "-" + version + "." + type));
    }
}
