package io.hasp.conformance.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A child process of this JVM, with a folder that receives its standard error. It can be paused, resumed and killed.
 * Neither the process nor the folder outlives this JVM, even if the JVM is killed. Thread-safe.
 */
public final class ChildProcess implements AutoCloseable {
    private static final int TAIL_LINES = 25;
    private static final String OUTPUT = "output";

    private final Path folder;
    private final Process process;
    private final CleanupShell shell;
    private boolean paused;
    private boolean closed;

    private ChildProcess(Path folder, Process process, CleanupShell shell) {
        this.folder = folder;
        this.process = process;
        this.shell = shell;
    }

    /**
     * Starts a process.
     *
     * @param command makes the command line, given a new empty folder
     * @return a running process; the caller closes it
     * @throws UncheckedIOException if it can't be started
     */
    public static ChildProcess start(Function<Path, List<String>> command) {
        try {
            Path folder = Files.createTempDirectory("hasp-client-");
            Process process = new ProcessBuilder(command.apply(folder))
                    .redirectError(folder.resolve(OUTPUT).toFile())
                    .start();
            return new ChildProcess(folder, process, CleanupShell.of(process.pid(), folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For the commands and answers on its standard input and output. */
    Process process() {
        return process;
    }

    /**
     * Returns the process id.
     *
     * @return the process id
     */
    public long pid() {
        return process.pid();
    }

    /**
     * Returns the process's folder.
     *
     * @return a folder that {@link #close} deletes
     */
    public Path folder() {
        return folder;
    }

    /**
     * Returns true while the process runs or is paused.
     *
     * @return false once it has ended
     */
    public boolean alive() {
        return process.isAlive();
    }

    /** Stops the process at once (SIGSTOP). It has stopped when this returns. */
    public synchronized void pause() {
        paused = true;
        shell.stop();
    }

    /** Continues the process. */
    public synchronized void resume() {
        shell.resume();
        paused = false;
    }

    synchronized boolean paused() {
        return paused;
    }

    /** Ends the process without warning (SIGKILL), paused or not, and waits for its end. Idempotent. */
    public void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** Waits for its end, interrupted or not. */
    void awaitExit() {
        process.onExit().join();
    }

    /** False if it still runs after that time. */
    boolean awaitExit(Duration limit) throws InterruptedException {
        return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Sends no more signals to the process id, which may soon be another process's. */
    synchronized void forgetId() {
        if (!closed) {
            shell.childEnded();
        }
    }

    /**
     * Returns the end of its standard error.
     *
     * @return some lines
     */
    public String output() {
        try {
            List<String> lines = Files.readAllLines(folder.resolve(OUTPUT), StandardCharsets.ISO_8859_1);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "(no output: " + e.getMessage() + ")";
        }
    }

    /** Kills the process if it still runs, and deletes its folder. Idempotent. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        kill();
        forgetId();
        closed = true;
        shell.letGo();
    }
}
