package io.hasp.conformance.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Keeps child processes and their folders from outliving this JVM. A server such as Redis can't watch its parent, and a
 * shutdown hook does not run in a JVM that is killed. So one small shell per JVM reads the ids of the children from a pipe;
 * the pipe ends with the JVM, however that ends, and the shell then kills what is left and deletes the folders.
 */
final class ProcessGuard {
    static final String SCRIPT = """
            trap '' HUP INT TERM
            pids=' '
            while read -r verb pid; do
              case $verb in
                add) pids="$pids$pid " ;;
                del) case $pids in *" $pid "*) pids="${pids%% $pid *} ${pids#* $pid }" ;; esac ;;
              esac
            done
            for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
            rm -rf -- "$@" 2>/dev/null || { sleep 1; rm -rf -- "$@"; }
            """;

    private static final class Holder {
        static final ProcessGuard INSTANCE = new ProcessGuard();
    }

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long LEAST_MEMORY_BYTES = 4L << 30;

    private final Path root;
    private final Path inMemory;
    private final Process shell;
    private final Writer pipe;
    private boolean ending;

    private ProcessGuard() {
        try {
            root = Files.createTempDirectory("hasp-servers-");
            inMemory = hasMemory() ? Files.createTempDirectory(MEMORY, "hasp-servers-") : root;
            shell = new ProcessBuilder("sh", "-c", SCRIPT, "hasp-process-guard", root.toString(), inMemory.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            pipe = shell.outputWriter(StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new ServerException("can't start servers as processes: needs a temporary folder and 'sh'", e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::endAll, "hasp-process-guard"));
    }

    static ProcessGuard get() {
        return Holder.INSTANCE;
    }

    /** A folder that is deleted with the JVM at the latest. */
    Path newFolder(String prefix) {
        try {
            return Files.createTempDirectory(root, prefix + "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * As {@link #newFolder}, in a file system that is kept in memory if there is one with room. A disk to which other processes write may
     * stand still for seconds.
     */
    Path newFolderInMemory(String prefix) {
        try {
            return Files.createTempDirectory(inMemory, prefix + "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean hasMemory() throws IOException {
        return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= LEAST_MEMORY_BYTES;
    }

    void add(long pid) {
        send("add", pid);
    }

    void remove(long pid) {
        send("del", pid);
    }

    /** While the JVM ends, messages to the shell are not needed: the shell ends all children by itself. */
    private synchronized void send(String verb, long pid) {
        if (ending) {
            return;
        }
        try {
            pipe.write(verb + " " + pid + "\n");
            pipe.flush();
        } catch (IOException e) {
            throw new ServerException("the guard of the child processes is gone", e);
        }
    }

    private synchronized void closePipe() throws IOException {
        ending = true;
        pipe.close();
    }

    private void endAll() {
        try {
            closePipe();
            if (!shell.waitFor(5, TimeUnit.SECONDS)) {
                System.err.println("hasp: child processes may be left behind, see " + root);
            }
        } catch (IOException e) {
            System.err.println("hasp: child processes may be left behind: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
