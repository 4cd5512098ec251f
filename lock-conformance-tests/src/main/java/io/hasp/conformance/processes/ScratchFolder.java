package io.hasp.conformance.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A temporary folder that is deleted with all that is in it, also when this JVM is killed. */
public final class ScratchFolder implements AutoCloseable {
    private final Path path;
    private final CleanupShell shell;

    private ScratchFolder(Path path, CleanupShell shell) {
        this.path = path;
        this.shell = shell;
    }

    /**
     * Makes one.
     *
     * @return an empty folder, closed by the caller
     * @throws UncheckedIOException if that can't be done
     */
    public static ScratchFolder create() {
        try {
            Path path = Files.createTempDirectory("hasp-scratch-");
            return new ScratchFolder(path, CleanupShell.of(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the folder's path.
     *
     * @return the folder
     */
    public Path path() {
        return path;
    }

    /** Deletes it. Idempotent. */
    @Override
    public void close() {
        shell.letGo();
    }
}
