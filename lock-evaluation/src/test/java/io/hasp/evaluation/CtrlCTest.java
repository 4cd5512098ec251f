package io.hasp.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command in a process of its own, ended in the middle of a measurement. */
class CtrlCTest {
    @TempDir
    private Path folder;

    private Process hasp;
    private Path said;

    @BeforeEach
    void begin() throws IOException {
        said = folder.resolve("said");
        hasp = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Hasp.class.getName(),
                        "compare",
                        "--quick",
                        "--only",
                        "handoff",
                        "--subjects",
                        "redisson-rlock,floor-redis",
                        "--out",
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        await().atMost(Duration.ofMinutes(2)).until(() -> said().contains("round 2 of"));
    }

    @AfterEach
    void end() {
        hasp.destroyForcibly();
    }

    @Test
    void an_interrupted_comparison_leaves_no_process_behind_and_tells_and_writes_what_it_has() throws Exception {
        List<ProcessHandle> children = hasp.descendants().toList();
        assertThat(children).isNotEmpty();

        interrupt();

        assertThat(hasp.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(hasp.exitValue()).isEqualTo(Hasp.INTERRUPTED);
        assertThat(said()).contains("INTERRUPTED: what follows is what was measured until then.");
        assertThat(said().lines().reduce((line, next) -> next)).hasValue("hasp: interrupted; all servers are stopped");
        assertThat(folder.resolve("results.json")).content().contains("\"acquisitions_per_s\"");
        await().atMost(Duration.ofSeconds(10)).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    }

    private void interrupt() throws IOException, InterruptedException {
        int sent = new ProcessBuilder("sh", "-c", "kill -INT " + hasp.pid())
                .start()
                .waitFor();
        assertThat(sent).isZero();
    }

    private String said() throws IOException {
        return Files.readString(said);
    }
}
