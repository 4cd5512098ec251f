package io.hasp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.EnvironmentMissingException;
import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.conformance.servers.RedisServer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A shell on a terminal of its own, by {@code script(1)}: keys, job control, and the question before a break. */
@InTier(Tier.STANDARD)
class TerminalTest {
    private final RedisServer redis = RedisServer.start();
    private final ScratchFolder folder = ScratchFolder.create();
    private final Path screen = folder.path().resolve("screen");
    private Process terminal;

    @BeforeEach
    void open() throws IOException {
        HaspScript.in(folder.path());
        try {
            ProcessBuilder builder = new ProcessBuilder(HaspProcess.withUsualSignals(
                            List.of("script", "-qfc", "bash --norc --noprofile -i", "/dev/null")))
                    .redirectErrorStream(true)
                    .redirectOutput(screen.toFile());
            builder.environment().put("HASP_URI", redis.uri());
            builder.environment().put("PATH", folder.path() + ":" + System.getenv("PATH"));
            builder.environment().put("PS1", "> ");
            builder.environment().put("TERM", "dumb");
            terminal = builder.start();
        } catch (IOException e) {
            throw new EnvironmentMissingException("there is no script(1) here: " + e.getMessage());
        }
    }

    @AfterEach
    void close() {
        terminal.destroyForcibly().onExit().join();
        redis.close();
        folder.close();
    }

    private void type(String keys) throws IOException {
        OutputStream keyboard = terminal.getOutputStream();
        keyboard.write(keys.getBytes(StandardCharsets.UTF_8));
        keyboard.flush();
    }

    private void awaitScreen(String text) {
        await(text)
                .atMost(Duration.ofMinutes(1))
                .until(() -> Files.readString(screen).replace("\r", "").contains(text));
    }

    @Test
    void interrupt_reaches_the_command_and_hasp_releases_the_lock() throws Exception {
        type("hasp run keys -- bash -c 'echo be\"\"gun; sleep 60'; echo \"code=$?\"\n");
        awaitScreen("begun");
        type("\u0003");
        awaitScreen("code=130");
        try (LockClient locks = LockClient.connect(redis.uri())) {
            assertThat(locks.inspector().lock("keys")).isEmpty();
        }
    }

    @Test
    void the_command_reads_the_terminal_stops_and_continues_as_a_job() throws Exception {
        type("hasp run job -- bash -c 'echo be\"\"gun; read x; echo \"got=$x\"; read y; echo \"then=$y\"; exit 6'\n");
        awaitScreen("begun");
        type("one\n");
        awaitScreen("got=one");
        type("\u001a");
        awaitScreen("Stopped                 hasp run job");
        type("echo sh\"\"ell\n");
        awaitScreen("shell\n");
        type("fg\n");
        type("two\n");
        awaitScreen("then=two");
        type("echo \"code=$?\"\n");
        awaitScreen("code=6");
    }

    @Test
    void a_break_asks_and_only_yes_breaks() throws Exception {
        try (LockClient locks = LockClient.connect(redis.uri())) {
            Lease lease = locks.lock("asked").acquire();
            String command = "hasp break asked --token " + lease.fencingToken() + "; echo \"code=$?\"\n";
            type(command);
            awaitScreen("[y/N]");
            type("n\n");
            awaitScreen("code=1");
            assertThat(locks.inspector().lock("asked")).isPresent();
            type(command.replace("code", "second"));
            await().until(() -> Files.readString(screen).split("y/N", -1).length == 3);
            type("y\n");
            awaitScreen("second=0");
            assertThat(locks.inspector().lock("asked")).isEmpty();
        }
    }
}
