package io.hasp.packaging;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.bouncycastle.openpgp.PGPException;

/** A release of these sources, made in a folder of its own by the command of docs/internals/releasing.md. */
record ReleaseBuild(Path folder) {
    /** No version that is ever published. */
    static final String VERSION = "0.0.1";

    private static final Path SHARED = Path.of("target", "release").toAbsolutePath();
    private static final Path KEY = SHARED.resolveSibling("release-key.asc");
    /** The run of Maven that made the shared release. */
    private static final Path MADE_BY = SHARED.resolveSibling("release-made-by");

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Set<String> NOT_SOURCES = Set.of("target", ".git");

    /** Returns the release that all tests of one run of Maven share. The first test that asks for it makes it, in whichever JVM. */
    static ReleaseBuild shared() throws IOException, InterruptedException, PGPException {
        Files.createDirectories(SHARED.getParent());
        try (FileChannel file = FileChannel.open(
                        SHARED.resolveSibling("release-lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            String run = System.getProperty("hasp.test.run");
            if (!Files.exists(MADE_BY) || !Files.readString(MADE_BY).equals(run)) {
                Files.deleteIfExists(MADE_BY);
                delete(SHARED);
                SigningKey key = SigningKey.create("throw-away");
                Files.writeString(KEY, key.armored());
                in(SHARED, "Pacific/Kiritimati", key);
                Files.writeString(MADE_BY, run);
            }
            return new ReleaseBuild(SHARED);
        }
    }

    /** The key that signed the shared release, to verify its signatures. */
    static SigningKey sharedKey() throws IOException, PGPException {
        return SigningKey.read(Files.readString(KEY));
    }

    /** Builds everything but the tests. Nothing is installed in the local repository, which the build shares. */
    static ReleaseBuild in(Path folder, String timeZone, SigningKey key) throws IOException, InterruptedException {
        copySources(folder);
        Maven.run(
                folder,
                Path.of(System.getProperty("hasp.test.repository")),
                Map.of(
                        "MAVEN_GPG_KEY", key.armored(),
                        "MAVEN_GPG_PASSPHRASE", key.passphrase(),
                        "MAVEN_OPTS", "-Duser.timezone=" + timeZone),
                "deploy",
                "-Prelease",
                "-Drevision=" + VERSION,
                "-Dmaven.test.skip=true",
                "-Dmaven.install.skip=true",
                "-Dspotless.check.skip=true",
                "-Dhasp.compiler.checks=-Xlint:none");
        return new ReleaseBuild(folder);
    }

    /** The folder to upload. */
    Path staging() {
        return folder.resolve("target/staging");
    }

    /** The bill of materials of all artifacts together. */
    Path sbom() {
        return folder.resolve("target/hasp-sbom.json");
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    static Path copySources(Path to) throws IOException {
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes) throws IOException {
                if (NOT_SOURCES.contains(from.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(ROOT.relativize(from).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path from, BasicFileAttributes attributes) throws IOException {
                Files.copy(from, to.resolve(ROOT.relativize(from).toString()));
                return FileVisitResult.CONTINUE;
            }
        });
        return to;
    }
}
