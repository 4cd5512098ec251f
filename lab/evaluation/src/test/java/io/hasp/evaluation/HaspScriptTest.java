package io.hasp.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code hasp} of a source tree, with a build that takes as long as the test wants. */
class HaspScriptTest {
    private static final Path SCRIPT = Path.of("..", "..", "hasp");

    @TempDir
    private Path tree;

    @BeforeEach
    void clone_without_a_build() throws IOException {
        Files.copy(SCRIPT, tree.resolve("hasp"));
        Files.createFile(tree.resolve("pom.xml"));
        program("java", "[ \"$1\" != -version ] || echo 'openjdk version \"17.0.1\"'");
        program("flock-is-here", "command -v flock");
        program("mvn", """
                echo built >> builds
                until [ -e go ]; do sleep 0.1; done
                touch lab/evaluation/target/hasp.jar""");
    }

    @Test
    void two_runs_at_once_build_once() throws Exception {
        assumeTrue(run("first", "sh", "bin/flock-is-here").waitFor() == 0);
        Process one = run("one", "bash", "hasp", "compare");
        await().until(() -> said("one").contains("Building Hasp"));
        Process other = run("other", "bash", "hasp", "compare");
        await().atMost(Duration.ofSeconds(20)).until(() -> !said("other").isEmpty());

        Files.createFile(tree.resolve("go"));

        assertThat(one.waitFor()).as(said("one")).isZero();
        assertThat(other.waitFor()).as(said("other")).isZero();
        assertThat(Files.readAllLines(tree.resolve("builds"))).as("builds").hasSize(1);
        assertThat(said("other")).contains("another run builds Hasp");
    }

    private void program(String name, String text) throws IOException {
        Path file = Files.writeString(
                Files.createDirectories(tree.resolve("bin")).resolve(name), "#!/bin/sh\n" + text + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private Process run(String name, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(tree.toFile())
                .redirectErrorStream(true)
                .redirectOutput(tree.resolve(name + ".txt").toFile());
        builder.environment().remove("JAVA_HOME");
        builder.environment().merge("PATH", "", (path, any) -> tree.resolve("bin") + File.pathSeparator + path);
        return builder.start();
    }

    private String said(String name) throws IOException {
        return Files.readString(tree.resolve(name + ".txt"));
    }
}
