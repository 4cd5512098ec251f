package io.hasp.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.servers.RedisServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows the README's first screen in a fresh clone: its two commands, then its code against the jars that the first
 * command installed. Clones the last commit; takes three to eight minutes, so it is of the full tier.
 */
class CleanCloneTest {
    /** The limit of a quick comparison with its build, if the libraries are present: 150 s. */
    private static final int QUICK_UNITS = 1500;

    private static final Path REPOSITORY = Path.of(System.getProperty("user.home"), ".m2", "repository");

    @TempDir
    private Path folder;

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void the_two_commands_and_the_code_of_the_first_screen_work_in_a_clean_clone() throws Exception {
        assumeTrue(Tier.current() == Tier.FULL, "builds a clean clone, which takes minutes: -Dhasp.tier=full");
        String readme = Files.readString(Documents.ROOT.resolve("README.md"));
        assertThat(readme).contains("\nmvn install -DskipTests\n", "\n./hasp compare --quick\n");
        Path clone = folder.resolve("hasp");
        Path repository = ownRepository();
        run(folder, repository, "git", "clone", "-q", Documents.ROOT.toString(), clone.toString());

        long begin = System.nanoTime();
        String compared = run(clone, repository, "./hasp", "compare", "--quick");
        assertThat(compared).contains("Built in ", "hasp-redis-jedis against", "IN FIVE LINES");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).as(compared).isLessThan(Timings.units(QUICK_UNITS));
        String installed = run(clone, repository, "mvn", "-B", "-ntp", "install", "-DskipTests");
        assertThat(installed).contains("BUILD SUCCESS");
        String code = Documents.snippets(clone.resolve("README.md"))
                .findFirst()
                .orElseThrow()
                .code();
        try (RedisServer redis = RedisServer.start()) {
            Statements.in(folder).run(code, redis.uri(), classPath(repository));
        }
    }

    /** As {@code mvn install} fills it, with what was downloaded before shared by links: nothing of ours gets there. */
    private Path ownRepository() throws IOException {
        Path own = folder.resolve("repository");
        link(REPOSITORY, own);
        link(REPOSITORY.resolve("io"), own.resolve("io"));
        return own;
    }

    /** JUnit warns of each link that it meets. */
    @AfterEach
    void unlink() throws IOException {
        for (String part : List.of("repository/io", "repository")) {
            if (Files.exists(folder.resolve(part))) {
                try (Stream<Path> entries = Files.list(folder.resolve(part))) {
                    for (Path link : entries.filter(Files::isSymbolicLink).toList()) {
                        Files.delete(link);
                    }
                }
            }
        }
    }

    private static void link(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> entries = Files.list(from)) {
            for (Path entry : entries.toList()) {
                String name = entry.getFileName().toString();
                if (!name.equals("io") && !name.equals("hasp")) {
                    Files.createSymbolicLink(to.resolve(name), entry);
                }
            }
        }
    }

    private static String classPath(Path repository) throws IOException {
        try (Stream<Path> files = Files.walk(repository.resolve("io/hasp"))) {
            Stream<String> ours =
                    files.map(Path::toString).filter(file -> file.endsWith(".jar") && !file.endsWith("-sources.jar"));
            Stream<String> others = Arrays.stream(
                            System.getProperty("java.class.path").split(File.pathSeparator))
                    .filter(entry -> entry.endsWith(".jar"));
            return Stream.concat(ours, others).collect(Collectors.joining(File.pathSeparator));
        }
    }

    private String run(Path where, Path repository, String... command) throws IOException, InterruptedException {
        Path log = folder.resolve("log.txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(where.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(Map.of("MAVEN_OPTS", "-Dmaven.repo.local=" + repository));
        long begin = System.nanoTime();
        Process process = builder.start();
        int exit;
        try {
            exit = process.waitFor();
        } finally {
            process.destroy();
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        String said = Files.readString(log);
        System.out.println(String.join(" ", command) + ": " + took.toSeconds() + " s");
        assertThat(exit).as(String.join(" ", command) + "\n" + said).isZero();
        return said;
    }
}
