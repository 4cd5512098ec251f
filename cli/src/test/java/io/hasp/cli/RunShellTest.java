package io.hasp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.conformance.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The shell beside the command under {@code hasp run}: its death and its messages. */
class RunShellTest {
    private final RedisServer redis = RedisServer.start();
    private final ScratchFolder folder = ScratchFolder.create();

    @AfterEach
    void close() {
        redis.close();
        folder.close();
    }

    @Test
    void the_lock_stays_held_until_the_command_of_a_killed_shell_has_ended() throws Exception {
        Path beats = folder.path().resolve("beats");
        String stubborn =
                "trap '' TERM; echo $PPID >\"$1\";" + " while :; do echo \"$EPOCHREALTIME\" >>\"$1\"; sleep 0.02; done";
        try (LockClient locks = LockClient.connect(redis.uri());
                HaspProcess hasp = HaspProcess.start(
                        redis.uri() + "?renewedLease=6s", "run", "x", "--", "bash", "-c", stubborn, "x", "" + beats)) {
            await().until(() -> Files.exists(beats) && Files.readAllLines(beats).size() > 1);
            HaspProcess.signal("KILL", Long.parseLong(Files.readAllLines(beats).get(0)));
            while (locks.inspector().lock("x").isPresent()) {
                assertThat(hasp.err()).doesNotContain("may still run");
            }
            double free = System.currentTimeMillis() / 1e3;
            await().during(Duration.ofMillis(300)).until(() -> lastOf(beats) < free);
            assertThat(hasp.exit()).isEqualTo(137);
            assertThat(hasp.err()).contains("the shell beside the command was killed");
            assertThat(locks.inspector().lock("x")).isEmpty();
        }
    }

    private static ProcessHandle watcher(HaspProcess hasp) {
        return await().ignoreExceptions()
                .until(
                        () -> {
                            String shell = ProcessHandle.of(hasp.pid())
                                    .orElseThrow()
                                    .children()
                                    .map(process -> process.info().commandLine().orElse(""))
                                    .filter(line -> line.contains("guard.bash"))
                                    .findFirst()
                                    .orElseThrow();
                            Path script = Path.of(shell.replaceFirst(".* (\\S+guard\\.bash) .*", "$1"));
                            String pid = Files.readString(script.resolveSibling("watcher"));
                            return ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
                        },
                        ProcessHandle::isAlive);
    }

    @Test
    @InTier(Tier.STANDARD)
    void a_watcher_that_is_killed_is_replaced_and_the_command_still_ends_before_the_lease() throws Exception {
        Path beats = folder.path().resolve("beats");
        String stubborn = "trap '' TERM; while :; do echo \"$EPOCHREALTIME\" >>\"$1\"; sleep 0.02; done";
        try (HaspProcess hasp = HaspProcess.start(
                redis.uri() + "?renewedLease=6s", "run", "x", "--", "bash", "-c", stubborn, "x", "" + beats)) {
            await().until(() -> Files.exists(beats));
            for (int i = 0; i < 2; i++) {
                int kills = i + 1;
                watcher(hasp).destroyForcibly();
                await().until(() -> hasp.err().split("was killed", -1).length > kills);
            }
            double begin = System.currentTimeMillis() / 1e3;
            redis.kill();
            assertThat(hasp.exit()).isEqualTo(75);
            assertThat(lastOf(beats)).isLessThan(begin + 6);
        }
    }

    @Test
    @InTier(Tier.STANDARD)
    void a_watcher_that_is_killed_while_it_stops_the_command_is_replaced() throws Exception {
        Path beats = folder.path().resolve("beats");
        String stubborn = "trap '' TERM; while :; do echo \"$EPOCHREALTIME\" >>\"$1\"; sleep 0.02; done";
        try (LockClient locks = LockClient.connect(redis.uri());
                HaspProcess hasp = HaspProcess.start(
                        redis.uri() + "?renewedLease=20s", "run", "x", "--", "bash", "-c", stubborn, "x", "" + beats)) {
            await().until(() -> Files.exists(beats));
            ProcessHandle watcher = watcher(hasp);
            long token =
                    locks.inspector().lock("x").orElseThrow().holders().get(0).fencingToken();
            assertThat(locks.inspector().breakLock("x", token)).isTrue();
            await().until(() -> hasp.err().contains("SIGTERM"));
            watcher.destroyForcibly();
            assertThat(hasp.exit()).isEqualTo(75);
        }
    }

    @Test
    void a_command_whose_watcher_was_killed_ends_with_its_own_code_and_frees_the_lock() throws Exception {
        Path go = folder.path().resolve("go");
        try (LockClient locks = LockClient.connect(redis.uri());
                HaspProcess hasp = HaspProcess.start(
                        redis.uri(),
                        "run",
                        "x",
                        "--",
                        "bash",
                        "-c",
                        "until [ -e \"$1\" ]; do sleep 0.02; done; exit 7",
                        "x",
                        "" + go)) {
            watcher(hasp).destroyForcibly();
            await().until(() -> hasp.err().contains("was killed"));
            Files.createFile(go);
            assertThat(hasp.exit()).isEqualTo(7);
            assertThat(locks.inspector().lock("x")).isEmpty();
        }
    }

    private static double lastOf(Path beats) throws IOException {
        List<String> lines = Files.readAllLines(beats);
        return Double.parseDouble(lines.get(lines.size() - 1).replace(',', '.'));
    }

    @Test
    void the_name_of_a_command_that_is_not_found_can_not_write_to_the_terminal() {
        try (HaspProcess hasp = HaspProcess.start(redis.uri(), "run", "x", "--", "red\u001b[31m")) {
            assertThat(hasp.exit()).isEqualTo(127);
            assertThat(hasp.err()).contains("red", "not found").doesNotContain("\u001b");
        }
    }
}
