package io.hasp.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * The rules by which the portal of the central repository accepts a release, applied to a folder of staged artifacts: names, the jars of
 * sources and javadoc, signatures, checksums and POMs.
 */
record PortalRules(Path staging, SigningKey key) {
    private static final Map<String, String> CHECKSUMS =
            Map.of("md5", "MD5", "sha1", "SHA-1", "sha256", "SHA-256", "sha512", "SHA-512");
    private static final List<String> REQUIRED_CHECKSUMS = List.of("md5", "sha1");

    /** One line for each violation; empty if the portal accepts the folder. */
    List<String> violations() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path folder : versions(staging)) {
            check(folder, found);
        }
        return found;
    }

    /** The artifact ids in the folder. */
    List<String> artifacts() throws IOException {
        return versions(staging).stream().map(PortalRules::artifact).sorted().toList();
    }

    /** The version of all artifacts in a folder; fails if they have several. */
    static String version(Path staging) throws IOException {
        Set<String> found = versions(staging).stream()
                .map(version -> version.getFileName().toString())
                .collect(Collectors.toSet());
        if (found.size() != 1) {
            throw new IOException(staging + " has the versions " + found);
        }
        return found.iterator().next();
    }

    private static List<Path> versions(Path staging) throws IOException {
        try (Stream<Path> files = Files.walk(staging)) {
            return List.copyOf(
                    new TreeSet<>(files.filter(file -> file.toString().endsWith(".pom"))
                            .map(Path::getParent)
                            .toList()));
        }
    }

    private static String artifact(Path version) {
        return version.getName(version.getNameCount() - 2).toString();
    }

    private void check(Path folder, List<String> found) throws IOException {
        String version = folder.getFileName().toString();
        String artifact = artifact(folder);
        String stem = artifact + "-" + version;
        if (version.contains("SNAPSHOT")) {
            found.add(stem + ": a SNAPSHOT is no release");
        }
        Path pom = folder.resolve(stem + ".pom");
        if (!Files.exists(pom)) {
            found.add(stem + ": no POM of this name");
            return;
        }
        PublishedPom published = PublishedPom.read(pom);
        Path place = staging.relativize(folder);
        String group = place.subpath(0, place.getNameCount() - 2).toString().replace('/', '.');
        published.violations(group, artifact, version).forEach(violation -> found.add(stem + ": " + violation));
        if (published.packaging().equals("jar")) {
            for (String kind : List.of("", "-sources", "-javadoc")) {
                checkJar(folder.resolve(stem + kind + ".jar"), found);
            }
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(PortalRules::isArtifact).sorted().toList()) {
                checkFile(file, stem, found);
            }
        }
    }

    private static void checkJar(Path jar, List<String> found) throws IOException {
        if (!Files.exists(jar)) {
            found.add(jar.getFileName() + ": missing");
            return;
        }
        try (JarFile file = new JarFile(jar.toFile())) {
            if (file.stream().allMatch(ZipEntry::isDirectory)) {
                found.add(jar.getFileName() + ": empty");
            }
        }
    }

    private static boolean isArtifact(Path file) {
        String name = file.getFileName().toString();
        return !name.endsWith(".asc") && CHECKSUMS.keySet().stream().noneMatch(suffix -> name.endsWith("." + suffix));
    }

    private void checkFile(Path file, String stem, List<String> found) throws IOException {
        String name = file.getFileName().toString();
        if (!name.startsWith(stem + ".") && !name.startsWith(stem + "-")) {
            found.add(name + ": its name does not begin with " + stem);
        }
        Path signature = file.resolveSibling(name + ".asc");
        if (!Files.exists(signature)) {
            found.add(name + ": no signature");
        } else if (!key.signed(file, signature)) {
            found.add(name + ": the signature is not of this file by this key");
        }
        for (Map.Entry<String, String> checksum : CHECKSUMS.entrySet()) {
            checkChecksum(file, checksum.getKey(), checksum.getValue(), found);
        }
    }

    private static void checkChecksum(Path file, String suffix, String algorithm, List<String> found)
            throws IOException {
        Path given = file.resolveSibling(file.getFileName() + "." + suffix);
        if (!Files.exists(given)) {
            if (REQUIRED_CHECKSUMS.contains(suffix)) {
                found.add(file.getFileName() + ": no checksum " + suffix);
            }
        } else if (!Files.readString(given).strip().equals(checksum(file, algorithm))) {
            found.add(file.getFileName() + ": the checksum " + suffix + " is another file's");
        }
    }

    static String checksum(Path file, String algorithm) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
