package io.hasp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.hasp.conformance.servers.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A standard output that takes nothing: a full disk, or a reader that has ended. */
class OutputTest {
    private final RedisServer redis = RedisServer.start();

    @AfterEach
    void close() {
        redis.close();
    }

    /** Runs a command of hasp as {@code "$@"} in a line of bash. */
    private HaspProcess shell(String line, String hasp) {
        return HaspProcess.start(
                redis.uri(),
                "",
                command -> {
                    List<String> whole = new ArrayList<>(List.of("bash", "-c", "set -o pipefail; " + line, "x"));
                    whole.addAll(command);
                    return whole;
                },
                hasp.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"locks", "locks --watch", "watch x", "--version", "doctor"})
    void a_full_disk_ends_the_command_with_74_and_a_message(String command) {
        assumeThat(Path.of("/dev/full")).exists();
        try (HaspProcess hasp = shell("\"$@\" >/dev/full", command)) {
            assertThat(hasp.exit()).isEqualTo(74);
            assertThat(hasp.err()).contains("hasp: the output can't be written: ");
        }
    }

    @Test
    void a_reader_that_has_ended_ends_the_repeated_list() {
        try (HaspProcess hasp = shell("\"$@\" | head -1", "locks --watch --interval 0.1")) {
            assertThat(hasp.exit()).isZero();
            assertThat(hasp.err()).isEmpty();
            assertThat(hasp.out()).startsWith("NAME");
        }
    }
}
