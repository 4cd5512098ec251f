package io.hasp.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.JavaProgram;
import io.hasp.conformance.servers.RedisServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command in a process of its own, ended in the middle of a measurement. */
@InTier(Tier.STANDARD)
class TerminationTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    private Run begin(String... arguments) throws IOException, InterruptedException {
        Path said = folder.resolve("said");
        List<String> command = new ArrayList<>(hearingInterrupts());
        command.addAll(JavaProgram.command(
                List.of("-XX:TieredStopAtLevel=1", "-Dhasp.client.option=-XX:TieredStopAtLevel=1"),
                Hasp.class,
                "compare",
                "--out",
                folder.toString()));
        command.addAll(List.of(arguments));
        return new Run(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start(),
                said);
    }

    /** The background job of a shell ignores interrupts, and so do its children, unless this is put before them. */
    private static List<String> hearingInterrupts() throws IOException, InterruptedException {
        List<String> anew = List.of("env", "--default-signal=INT");
        Process tried = new ProcessBuilder("env", "--default-signal=INT", "true").start();
        return tried.waitFor() == 0 ? anew : List.of();
    }

    private record Run(Process hasp, Path file) implements AutoCloseable {

        String said() throws IOException {
            return Files.readString(file);
        }

        void interrupt() throws IOException, InterruptedException {
            int sent = new ProcessBuilder("sh", "-c", "kill -INT " + hasp.pid())
                    .start()
                    .waitFor();
            assertThat(sent).isZero();
        }

        void assertEnded(String words) throws Exception {
            assertThat(hasp.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(hasp.exitValue()).isEqualTo(Hasp.INTERRUPTED);
            assertThat(said().lines().reduce((line, next) -> next)).hasValue(words);
        }

        @Override
        public void close() {
            hasp.destroyForcibly();
        }
    }

    @Test
    void an_interrupted_comparison_leaves_no_process_behind_and_tells_and_writes_what_it_has() throws Exception {
        try (Run run = begin("--quick", "--only", "handoff", "--subjects", "redisson-rlock,baseline-redis")) {
            await().atMost(PATIENCE).until(() -> run.said().contains("round 2 of"));
            List<ProcessHandle> children = run.hasp().descendants().toList();
            assertThat(children).isNotEmpty();

            run.interrupt();

            run.assertEnded("hasp: interrupted; all servers are stopped");
            assertThat(run.said()).contains("INTERRUPTED: what follows is what was measured until then.");
            assertThat(folder.resolve("results.json")).content().contains("\"acquisitions_per_s\"");
            awaitEnd(children);
        }
    }

    @Test
    void a_comparison_that_is_interrupted_while_its_servers_stand_still_leaves_none_of_them_behind() throws Exception {
        try (Run run = begin("--full", "--only", "stopped", "--subjects", "curator-mutex")) {
            await().atMost(PATIENCE)
                    .until(() -> run.hasp()
                                    .descendants()
                                    .filter(TerminationTest::stopped)
                                    .count()
                            == 3);
            List<ProcessHandle> children = run.hasp().descendants().toList();

            run.interrupt();

            run.assertEnded("hasp: interrupted; all servers are stopped");
            awaitEnd(children);
        }
    }

    @Test
    void an_interrupted_comparison_leaves_nothing_on_servers_that_it_did_not_start() throws Exception {
        assumeTrue(Tier.current() == Tier.FULL, "takes three quarters of a minute: -Dhasp.tier=full");
        try (RedisServer redis = RedisServer.start();
                Run run = begin(
                        "--quick",
                        "--only",
                        "handoff,takeover",
                        "--subjects",
                        "hasp-redis-jedis,redisson-fairlock",
                        "--backend",
                        redis.uri())) {
            redis.command("SET", "somebody's", "own");
            await().atMost(PATIENCE).until(() -> run.said().contains("round 1 of"));
            assertThat(redis.command("DBSIZE")).isNotEqualTo(1L);

            run.interrupt();

            run.assertEnded("hasp: interrupted; nothing is left on your servers");
            assertThat(redis.command("KEYS", "*")).isEqualTo(List.of("somebody's"));
        }
    }

    private static void awaitEnd(List<ProcessHandle> children) {
        await().atMost(Duration.ofSeconds(10)).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    }

    /** As the system shows it, in the third field. */
    private static boolean stopped(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"), StandardCharsets.ISO_8859_1);
            return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
        } catch (IOException e) {
            return false;
        }
    }
}
