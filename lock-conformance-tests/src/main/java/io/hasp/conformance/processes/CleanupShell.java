package io.hasp.conformance.processes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A small shell that owns at most one child process and a folder. It sends the signals. When the pipe from this JVM
 * ends, after a close or a kill of this JVM, it kills the child, stopped or not, and deletes the folder.
 */
final class CleanupShell {
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            pid=$1
            while read -r word; do
              case $word in
                STOP|CONT) [ -n "$pid" ] && kill -"$word" "$pid" ;;
                ended) pid= ;;
              esac
              echo done
            done
            [ -n "$pid" ] && kill -9 "$pid" 2>/dev/null
            rm -rf -- "$2" 2>/dev/null || { sleep 1; rm -rf -- "$2"; }
            """;
    private static final int STAT_STATE = 2;

    private final String child;
    private final Process shell;
    private final Writer pipe;
    private final BufferedReader said;

    private CleanupShell(String child, Path folder) throws IOException {
        this.child = child;
        this.shell = new ProcessBuilder("sh", "-c", SCRIPT, "hasp-cleanup", child, folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        this.pipe = shell.outputWriter(StandardCharsets.US_ASCII);
        this.said = shell.inputReader(StandardCharsets.US_ASCII);
    }

    static CleanupShell of(long child, Path folder) throws IOException {
        return new CleanupShell(Long.toString(child), folder);
    }

    /** For a folder without a child. */
    static CleanupShell of(Path folder) throws IOException {
        return new CleanupShell("", folder);
    }

    /** Returns when the child stands still. */
    void stop() {
        send("STOP");
        while (!stopped()) {
            Thread.onSpinWait();
        }
    }

    void resume() {
        send("CONT");
    }

    /** From now on the process id may belong to another process. */
    void childEnded() {
        send("ended");
    }

    /** Kills what is left and deletes the folder. */
    synchronized void letGo() {
        try {
            pipe.close();
        } catch (IOException e) {
            throw new IllegalStateException("the cleanup shell of process " + child + " is broken", e);
        }
        shell.onExit().join();
    }

    private synchronized void send(String word) {
        try {
            pipe.write(word + "\n");
            pipe.flush();
            said.readLine();
        } catch (IOException e) {
            throw new IllegalStateException("the cleanup shell of process " + child + " is broken", e);
        }
    }

    /** Also true where the system does not show it, and for a process that ended. */
    private boolean stopped() {
        try {
            String stat = Files.readString(Path.of("/proc/" + child + "/stat"), StandardCharsets.ISO_8859_1);
            char state = stat.charAt(stat.lastIndexOf(')') + STAT_STATE);
            return state == 'T' || state == 'Z';
        } catch (IOException e) {
            return true;
        }
    }
}
