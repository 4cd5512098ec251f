package io.hasp.conformance.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One life of a server: a process, its log, and the signals sent to it. */
final class ServerProcess {
    private static final long GRACE_SECONDS = 10;
    private static final int TAIL_LINES = 25;
    private static final int STAT_STATE = 2;

    /** Asks a server whether it serves; any exception means not yet. */
    @FunctionalInterface
    interface Probe {
        boolean ready() throws IOException;
    }

    private final String what;
    private final Process process;
    private final Path log;

    private ServerProcess(String what, Process process, Path log) {
        this.what = what;
        this.process = process;
        this.log = log;
    }

    static ServerProcess start(String what, List<String> command, Path folder) {
        Path log = folder.resolve("server.log");
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            ProcessGuard.get().add(process.pid());
            process.getOutputStream().close();
            return new ServerProcess(what, process, log);
        } catch (IOException e) {
            throw new ServerException("can't start " + what + ": " + e.getMessage(), e);
        }
    }

    void awaitReady(Probe probe, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        @Nullable Exception last = null;
        while (System.nanoTime() - end < 0) {
            if (!process.isAlive()) {
                throw failure("ended by itself, exit code " + process.exitValue(), last);
            }
            try {
                if (probe.ready()) {
                    return;
                }
            } catch (IOException e) {
                last = e;
            }
            pauseBetweenProbes();
        }
        throw failure("did not serve within " + limit, last);
    }

    private ServerException failure(String how, @Nullable Exception cause) {
        return new ServerException(what + " " + how + "; its log ends with:\n" + logTail(), cause);
    }

    static void pauseBetweenProbes() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while a server started", e);
        }
    }

    boolean alive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    void terminate() {
        resume();
        process.destroy();
        try {
            if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        awaitEnd();
    }

    /** Not interruptible: a killed process ends at once, and a test that is interrupted must still clean up. */
    private void awaitEnd() {
        process.onExit().join();
        ProcessGuard.get().remove(process.pid());
    }

    void pause() {
        signal("STOP");
        while (process.isAlive() && !stopped()) {
            Thread.onSpinWait();
        }
    }

    void resume() {
        if (process.isAlive()) {
            signal("CONT");
        }
    }

    /** Reads the process state where the system shows it; elsewhere a delivered signal has to do. */
    private boolean stopped() {
        Path stat = Path.of("/proc/" + process.pid() + "/stat");
        if (!Files.exists(stat)) {
            return true;
        }
        try {
            String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
            return line.charAt(line.lastIndexOf(')') + STAT_STATE) == 'T';
        } catch (IOException e) {
            return !process.isAlive();
        }
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start();
            if (kill.waitFor() != 0 && process.isAlive()) {
                throw new ServerException("can't send SIG" + name + " to " + what, null);
            }
        } catch (IOException e) {
            throw new ServerException("can't send SIG" + name + " to " + what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while sending SIG" + name + " to " + what, e);
        }
    }

    private String logTail() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }
}
