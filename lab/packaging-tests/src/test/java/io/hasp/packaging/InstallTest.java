package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.EnvironmentMissingException;
import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.conformance.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/**
 * The lines of docs/command-line.md that install and try the command, followed as they are written. Only the version and the place differ:
 * those are of the release that {@link ReleaseTest} checks.
 */
@Timeout(1800)
@InTier(Tier.FULL)
@DisabledIfSystemProperty(
        named = "hasp.test.offline",
        matches = "offline true",
        disabledReason = "without a network Maven deploys nothing, not even into a folder")
class InstallTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Pattern LINES =
            Pattern.compile("(?s)```sh\n(version=.*?)```.*?```sh\n(export HASP_URI=.*?)```");

    private final ScratchFolder home = ScratchFolder.create();
    private final RedisServer redis = RedisServer.start();
    private Path forge;
    private Matcher lines;

    @BeforeEach
    void stage() throws Exception {
        for (String program : List.of("curl", "sha256sum", "tar")) {
            if (Stream.of(System.getenv("PATH").split(":"))
                    .noneMatch(folder -> Files.isExecutable(Path.of(folder, program)))) {
                throw new EnvironmentMissingException("no " + program + " is on the path");
            }
        }
        forge = Files.createDirectories(home.path().resolve("forge"));
        try (Stream<Path> staged = Files.list(ReleaseBuild.shared().staging().resolve("forge"))) {
            for (Path file : staged.toList()) {
                Files.copy(file, forge.resolve(file.getFileName()));
            }
        }
        lines = LINES.matcher(Files.readString(ROOT.resolve("docs/command-line.md")));
        assertThat(lines.find()).isTrue();
    }

    @AfterEach
    void close() {
        redis.close();
        home.close();
    }

    @Test
    void the_lines_install_the_command_and_a_command_runs_under_a_lock() throws Exception {
        Program bash = follows(lines.group(1) + replaced(lines.group(2), "redis://127.0.0.1:6379", redis.uri()));
        assertThat(bash.exit()).as(bash.said()).isZero();
        assertThat(bash.said()).contains("hasp-0.0.1.tar.gz: OK", "hasp 0.0.1").endsWith("locked\n");
        assertThat(home.path().resolve(".local/bin/hasp")).isSymbolicLink();
    }

    @Test
    void an_archive_that_is_not_the_checksums_is_not_unpacked() throws Exception {
        Files.write(forge.resolve("hasp-0.0.1.tar.gz"), new byte[] {0}, StandardOpenOption.APPEND);
        Program bash = follows(lines.group(1));
        assertThat(bash.said()).contains("hasp-0.0.1.tar.gz: FAILED");
        assertThat(bash.exit()).isNotZero();
        assertThat(home.path().resolve(".local")).doesNotExist();
    }

    private Program follows(String written) throws IOException, InterruptedException {
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        String ours = replaced(written, "version=" + property(pom, "revision"), "version=" + ReleaseBuild.VERSION);
        String place = "from=" + property(pom, "hasp.forge") + "/releases/download/v$version";
        String script = replaced(ours, place, "from=" + forge.toUri());
        return Program.run(
                home.path(),
                Map.of(
                        "HOME", home.path().toString(),
                        "PATH", home.path().resolve(".local/bin") + ":" + System.getenv("PATH"),
                        "JAVA_HOME", System.getProperty("java.home")),
                List.of("bash", "-c", script));
    }

    private static String replaced(String text, String part, String instead) {
        assertThat(text).contains(part + "\n");
        return text.replaceFirst("(?m)" + Pattern.quote(part) + "$", Matcher.quoteReplacement(instead));
    }

    private static String property(String pom, String name) {
        Matcher value = Pattern.compile("<" + name + ">([^<]+)<").matcher(pom);
        assertThat(value.find()).as(name).isTrue();
        return value.group(1);
    }
}
