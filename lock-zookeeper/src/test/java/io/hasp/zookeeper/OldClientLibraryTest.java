package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.ChildProcess;
import io.hasp.conformance.processes.JavaProgram;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application that brings an older ZooKeeper client library, which the build copies to {@code target/old-clients}. */
@InTier(Tier.STANDARD)
class OldClientLibraryTest {
    private static final Path OLD_CLIENTS = Path.of("target", "old-clients").toAbsolutePath();

    @ParameterizedTest
    @ValueSource(strings = {"3.6.3", "3.7.1"})
    void locks_are_transferred_lowered_and_released(String version) throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ChildProcess program = ChildProcess.start(folder -> command(
                        version,
                        "zookeeper://" + server.connectString(),
                        folder.resolve("done").toString()))) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !program.alive() || isWritten(program.folder().resolve("done")));

            assertThat(program.folder().resolve("done")).as(program.output()).exists();
            assertThat(Files.readString(program.folder().resolve("done"))).contains("zookeeper-" + version + ".jar");
        }
    }

    /** A file that was just made may still be empty. */
    private static boolean isWritten(Path file) throws IOException {
        return Files.exists(file) && Files.size(file) > 0;
    }

    private static List<String> command(String version, String... arguments) {
        List<String> command =
                new ArrayList<>(JavaProgram.command(List.of("-Xmx64m"), OldClientLibraryProgram.class, arguments));
        int classPath = command.indexOf("-cp") + 1;
        String others = Stream.of(command.get(classPath).split(File.pathSeparator))
                .filter(file -> !Path.of(file).getFileName().toString().matches("zookeeper(-jute)?-\\d.*"))
                .collect(Collectors.joining(File.pathSeparator));
        command.set(classPath, old(version) + File.pathSeparator + others);
        return command;
    }

    private static String old(String version) {
        try (Stream<Path> files = Files.list(OLD_CLIENTS)) {
            List<String> jars = files.map(Path::toString)
                    .filter(file -> file.endsWith("-" + version + ".jar"))
                    .toList();
            assertThat(jars).as("jars of " + version).hasSize(2);
            return String.join(File.pathSeparator, jars);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
