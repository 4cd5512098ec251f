package io.hasp.cli;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Runs a command in a process group of its own, with the standard streams of this process. A shell beside it, {@code guard.bash}, stops
 * the group when this process requests it, when {@link #beat} is not called in time, and when this process dies. Not thread-safe.
 */
final class GuardedCommand implements AutoCloseable {
    private static final String GUARD = "guard.bash";
    private static final String FIFO = "fifo";
    private static final double NANOS = 1e9;
    private static final double LEAST_SECONDS = 0.001;

    private final Path folder;
    /** Open for both directions, so that neither end waits for the other. The end of this process closes it. */
    private final RandomAccessFile channel;

    private final Process shell;

    private GuardedCommand(Path folder, RandomAccessFile channel, Process shell) {
        this.folder = folder;
        this.channel = channel;
        this.shell = shell;
    }

    /**
     * Starts a command.
     *
     * @param patience the time until the first {@link #beat} must come
     * @param grace from SIGTERM to SIGKILL, if it does not come
     * @throws IOException if there is no {@code bash} or no temporary folder
     */
    static GuardedCommand start(
            List<String> command, Map<String, String> environment, Duration patience, Duration grace)
            throws IOException {
        Path folder = Files.createTempDirectory("hasp-run-");
        try {
            Path fifo = folder.resolve(FIFO);
            make(fifo);
            Path guard = folder.resolve(GUARD);
            try (InputStream script = GuardedCommand.class.getResourceAsStream(GUARD)) {
                Files.write(guard, script.readAllBytes());
            }
            RandomAccessFile channel = new RandomAccessFile(fifo.toFile(), "rw");
            List<String> whole = new ArrayList<>(guard(folder, patience, grace));
            whole.addAll(command);
            ProcessBuilder builder = new ProcessBuilder(whole).inheritIO();
            builder.environment().putAll(environment);
            restoreLocale(builder.environment());
            return new GuardedCommand(folder, channel, builder.start());
        } catch (IOException | RuntimeException e) {
            delete(folder);
            throw e;
        }
    }

    /** A file, because bash ends {@code bash -c} with 1 when SIGINT ends the command. */
    private static List<String> guard(Path folder, Duration patience, Duration grace) {
        return List.of(
                "bash", "-p", folder.resolve(GUARD).toString(), folder.toString(), seconds(patience), seconds(grace));
    }

    /** The script {@code hasp} changes the locale in which Java reads arguments. */
    private static void restoreLocale(Map<String, String> environment) {
        String former = environment.remove("HASP_FORMER_LC_ALL");
        if (former != null && former.isEmpty()) {
            environment.remove("LC_ALL");
        } else if (former != null) {
            environment.put("LC_ALL", former);
        }
    }

    private static void make(Path fifo) throws IOException {
        Process mkfifo = new ProcessBuilder("mkfifo", "-m", "600", fifo.toString())
                .inheritIO()
                .start();
        if (mkfifo.onExit().join().exitValue() != 0) {
            throw new IOException("mkfifo " + fifo + " failed");
        }
    }

    /**
     * Completes with the exit code of the command, or 128 and the number of the signal that ended it. If the shell was killed, it is the
     * code of the shell, and {@link #ended} returns false.
     */
    CompletableFuture<Integer> exit() {
        return shell.onExit().thenApply(Process::exitValue);
    }

    /** Returns true if the shell has seen the end of the command, or the group was stopped. */
    boolean ended() {
        return !Files.exists(folder.resolve(FIFO));
    }

    /** Returns false if the process that stops the group was killed. */
    boolean watched() throws IOException {
        Path file = folder.resolve("watcher");
        String pid = Files.exists(file) ? Files.readString(file).strip() : "";
        return pid.isEmpty()
                || ProcessHandle.of(Long.parseLong(pid))
                        .filter(ProcessHandle::isAlive)
                        .isPresent()
                || ended();
    }

    /** Starts another process that stops the group. */
    void watchAgain(Duration patience, Duration grace) throws IOException {
        new ProcessBuilder(guard(folder, patience, grace))
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .onExit()
                .join();
    }

    /** Extends the time until this process counts as silent. */
    void beat(Duration patience, Duration grace) throws IOException {
        send("beat " + seconds(patience) + " " + seconds(grace));
    }

    /** Sends a signal to the group, such as {@code TERM}. */
    void signal(String name) throws IOException {
        send("signal " + name);
    }

    /** Sends SIGTERM to the group, and SIGKILL after a time. The command exits once no process of the group is left. */
    void stop(Duration grace) throws IOException {
        send("stop " + seconds(grace));
    }

    /** Returns true if the group was stopped, for whatever reason. */
    boolean stopped() {
        return Files.exists(folder.resolve("stopped"));
    }

    private void send(String line) throws IOException {
        channel.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.3f", Math.max(LEAST_SECONDS, time.toNanos() / NANOS));
    }

    /** Deletes the folder. The command has ended. */
    @Override
    public void close() throws IOException {
        channel.close();
        delete(folder);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }
}
