package io.hasp.conformance.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A temporary folder that is deleted with all that is in it, also when this JVM is killed. */
public final class ScratchFolder implements AutoCloseable {
    private final Path path;
    private final Leash leash;

    private ScratchFolder(Path path, Leash leash) {
        this.path = path;
        this.leash = leash;
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
            return new ScratchFolder(path, Leash.of(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Where it is.
     *
     * @return the folder
     */
    public Path path() {
        return path;
    }

    /** Deletes it. Idempotent. */
    @Override
    public void close() {
        leash.letGo();
    }
}
