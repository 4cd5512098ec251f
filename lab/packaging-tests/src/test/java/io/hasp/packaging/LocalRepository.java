package io.hasp.packaging;

import io.hasp.conformance.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A local Maven repository of a stranger. Everything but Hasp is shared, by links, with the repository that this build itself uses, so
 * that nothing is downloaded again and nothing of Hasp's gets there.
 *
 * <p>In the full tier, the stranger's builds get Hasp from the folder of a staged release alone; {@code -Dhasp.staging} names another one
 * than that of {@link ReleaseBuild}. In other tiers and without a network, Hasp is in this repository, as {@code mvn install} leaves it.
 *
 * @param path the local repository
 * @param version of Hasp
 * @param staging the folder of the release, if there is one
 */
record LocalRepository(Path path, String version, Optional<Path> staging) {
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

    static LocalRepository in(Path folder, Path shared) throws Exception {
        Path io = Files.createDirectories(folder.resolve("io"));
        linkAll(shared, folder);
        for (String group : GROUPS_OF_BOOT) {
            Files.createDirectories(shared.resolve("io").resolve(group));
        }
        linkAll(shared.resolve("io"), io);
        Optional<Path> staging = findStaging();
        if (staging.isPresent()) {
            return new LocalRepository(folder, PortalRules.version(staging.get()), staging);
        }
        LocalRepository repository = new LocalRepository(folder, readVersion(), Optional.empty());
        repository.install("hasp-bom", ROOT.resolve("bom").resolve(PUBLISHED_POM), "pom");
        for (String artifact :
                Stream.concat(ARTIFACTS.stream(), Stream.of(STARTER)).toList()) {
            repository.install(artifact, folder(artifact).resolve(PUBLISHED_POM), "pom");
            repository.install(artifact, built(artifact, ""), "jar");
        }
        return repository;
    }

    private static Optional<Path> findStaging() throws Exception {
        Optional<Path> named =
                Optional.ofNullable(System.getProperty("hasp.staging")).map(Path::of);
        boolean online = System.getProperty("hasp.test.offline").equals("offline false");
        return named.isEmpty() && online && Tier.includes(Tier.FULL)
                ? Optional.of(ReleaseBuild.shared().staging())
                : named;
    }

    /** As an element of a stranger's POM: the place that Hasp comes from. */
    String element() {
        return staging.map(folder -> "<repositories><repository><id>staging</id><url>" + folder.toUri()
                        + "</url></repository></repositories>")
                .orElse("");
    }

    /** The jar that strangers' builds must get. */
    Path published(String artifact) throws IOException {
        return staging.isPresent()
                ? staging.get().resolve("io/hasp/%1$s/%2$s/%1$s-%2$s.jar".formatted(artifact, version))
                : built(artifact, "");
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
