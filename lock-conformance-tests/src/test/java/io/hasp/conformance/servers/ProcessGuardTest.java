package io.hasp.conformance.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Writer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell that ends what a killed JVM leaves behind. */
class ProcessGuardTest {
    @Test
    void processes_that_are_removed_twice_do_not_grow_the_shell_s_list(@TempDir Path folder) throws Exception {
        Path left = folder.resolve("left");
        Process shell = new ProcessBuilder("sh", "-c", ProcessGuard.SCRIPT, "guard", left.toString()).start();
        try (Writer pipe = shell.outputWriter()) {
            for (int i = 0; i < 20; i++) {
                pipe.write("del 1\n");
            }
        }
        try {
            assertThat(shell.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(shell.exitValue()).isZero();
        } finally {
            shell.destroyForcibly();
        }
    }
}
