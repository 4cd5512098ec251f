package io.hasp.cli;

import io.hasp.conformance.processes.JavaProgram;
import io.hasp.conformance.processes.ScratchFolder;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/** The command as a process of its own, with files for its output. Its end, by {@link #close} too, is by SIGKILL if it still runs. */
final class HaspProcess implements AutoCloseable {
    private static final long LIMIT_SECONDS = 60;

    static {
        // A JVM that starts on a busy machine takes its time.
        Awaitility.setDefaultTimeout(Duration.ofSeconds(LIMIT_SECONDS));
    }

    private final ScratchFolder folder = ScratchFolder.create();
    private final Process process;

    private HaspProcess(List<String> command, Map<String, String> environment, String input) {
        try {
            Path in = Files.writeString(folder.path().resolve("in"), input);
            ProcessBuilder builder = new ProcessBuilder(withUsualSignals(command))
                    .redirectInput(in.toFile())
                    .redirectOutput(file("out"))
                    .redirectError(file("err"));
            builder.environment().remove("HASP_URI");
            builder.environment().putAll(environment);
            process = builder.start();
        } catch (IOException e) {
            folder.close();
            throw new UncheckedIOException(e);
        }
    }

    /** A process inherits ignored signals, such as SIGHUP below nohup and SIGINT in the background of a script. */
    static List<String> withUsualSignals(List<String> command) {
        List<String> whole = new ArrayList<>(List.of("env", "--default-signal=HUP,INT,TERM"));
        whole.addAll(command);
        return whole;
    }

    private File file(String name) {
        return folder.path().resolve(name).toFile();
    }

    /** Starts the command with this URI in its environment. */
    static HaspProcess start(String uri, String... arguments) {
        return start(uri, "", UnaryOperator.identity(), arguments);
    }

    static HaspProcess start(String uri, String input, UnaryOperator<List<String>> wrapped, String... arguments) {
        List<String> command = JavaProgram.command(
                List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"), Hasp.class, arguments);
        return new HaspProcess(wrapped.apply(command), Map.of("HASP_URI", uri), input);
    }

    /** Starts any program. */
    static HaspProcess ofProgram(Map<String, String> environment, String... command) {
        return new HaspProcess(new ArrayList<>(List.of(command)), environment, "");
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Waits for the end. */
    int exit() {
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("still running; it says: " + out() + err());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    void signal(String name) {
        signal(name, pid());
    }

    /** Sends a signal to a process, or to the group of a negative number. */
    static void signal(String name, long pid) {
        try {
            int exit = new ProcessBuilder("bash", "-c", "kill -s " + name + " -- " + pid)
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new AssertionError("kill -s " + name + " " + pid + " ended with " + exit);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    String out() {
        return text("out");
    }

    String err() {
        return text("err");
    }

    private String text(String name) {
        try {
            return Files.readString(folder.path().resolve(name), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
        folder.close();
    }
}
