package io.hasp.conformance.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One run of a server: a process, its log, and the signals sent to it. */
final class ServerProcess {
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofMillis(5);
    private static final int TAIL_LINES = 25;
    private static final int STAT_STATE = 2;

    /** Checks if a server is ready; any exception means not yet. */
    @FunctionalInterface
    interface Probe {
        boolean ready() throws IOException;
    }

    private final String what;
    private final ServerRun run;
    private final Path log;

    private ServerProcess(String what, ServerRun run, Path log) {
        this.what = what;
        this.run = run;
        this.log = log;
    }

    static ServerProcess start(String what, Hosting.Program program, Path folder) {
        Path log = folder.resolve("server.log");
        try {
            ServerRun run = Hosting.chosen().start(program, folder, log);
            ProcessGuard.get().add(run.pid());
            return new ServerProcess(what, run, log);
        } catch (IOException e) {
            throw new ServerException("can't start " + what + ": " + e.getMessage(), e);
        }
    }

    void awaitReady(Probe probe, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        @Nullable Exception last = null;
        while (System.nanoTime() - end < 0) {
            if (!run.alive()) {
                throw failure("ended by itself, exit code " + run.exitCode(), last);
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
            // The interval between two looks; what the server answers decides.
            Thread.sleep(10);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while a server started", e);
        }
    }

    boolean alive() {
        return run.alive();
    }

    long pid() {
        return run.pid();
    }

    void kill() {
        run.signal("KILL");
        awaitEnd();
    }

    /** Requests the process's end, and forces it after a while. */
    void terminate() {
        resume();
        if (run.alive()) {
            run.signal("TERM");
        }
        long end = System.nanoTime() + GRACE.toNanos();
        while (run.alive()
                && System.nanoTime() - end < 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(LOOK.toNanos());
        }
        kill();
    }

    private void awaitEnd() {
        run.awaitEnd();
        ProcessGuard.get().remove(run.pid());
    }

    void pause() {
        run.signal("STOP");
        while (run.alive() && !stopped()) {
            Thread.onSpinWait();
        }
    }

    void resume() {
        if (run.alive()) {
            run.signal("CONT");
        }
    }

    /** Reads the process state where the system shows it; elsewhere a delivered signal has to do. */
    private boolean stopped() {
        Path stat = Path.of("/proc/" + run.pid() + "/stat");
        if (!Files.exists(stat)) {
            return true;
        }
        try {
            String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
            return line.charAt(line.lastIndexOf(')') + STAT_STATE) == 'T';
        } catch (IOException e) {
            return !run.alive();
        }
    }

    String logTail() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }
}
