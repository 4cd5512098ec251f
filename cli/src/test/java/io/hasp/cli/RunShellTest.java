package io.hasp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.LockClient;
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
