package io.hasp.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The rules for the archives of the command, applied to the folder of files for the release's page on the forge: both archives have the
 * same files, and each archive has a signature and a checksum.
 */
record ForgeRules(Path staging, String version, SigningKey key) {
    private static final List<String> KINDS = List.of("tar.gz", "zip");
    private static final List<String> BESIDE = List.of("asc", "sha256");
    private static final List<String> REQUIRED = List.of(
            "LICENSE",
            "README",
            "bin/hasp",
            "lib/hasp.jar",
            "share/bash-completion/completions/hasp",
            "share/man/man1/hasp.1",
            "share/zsh/site-functions/_hasp");
    /** As {@code sha256sum -c} reads it. */
    private static final Pattern CHECKSUM = Pattern.compile("([0-9a-f]{64}) {2}(\\S+)\\R");

    Path folder() {
        return staging.resolve("forge");
    }

    Path archive(String kind) {
        return folder().resolve("hasp-" + version + "." + kind);
    }

    /** One line for each violation; empty if the folder may be uploaded. */
    List<String> violations() throws IOException, InterruptedException {
        List<String> found = new ArrayList<>();
        checkNames(found);
        for (String kind : KINDS) {
            if (Files.exists(archive(kind))) {
                checkSignature(archive(kind), found);
                checkChecksum(archive(kind), found);
                checkEntries(archive(kind), found);
            }
        }
        if (KINDS.stream().map(this::archive).allMatch(Files::exists)
                && !entries("tar.gz").equals(entries("zip"))) {
            found.add("the archives have different files");
        }
        return found;
    }

    private void checkNames(List<String> found) throws IOException {
        Set<String> expected = KINDS.stream()
                .map(kind -> archive(kind).getFileName().toString())
                .flatMap(name -> Stream.concat(Stream.of(name), BESIDE.stream().map(suffix -> name + "." + suffix)))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> there = new TreeSet<>();
        if (Files.exists(folder())) {
            try (Stream<Path> files = Files.list(folder())) {
                files.forEach(file -> there.add(file.getFileName().toString()));
            }
        }
        expected.stream().filter(name -> !there.contains(name)).forEach(name -> found.add(name + ": missing"));
        there.stream().filter(name -> !expected.contains(name)).forEach(name -> found.add(name + ": not expected"));
    }

    private void checkSignature(Path archive, List<String> found) throws IOException {
        Path signature = archive.resolveSibling(archive.getFileName() + ".asc");
        if (Files.exists(signature) && !key.signed(archive, signature)) {
            found.add(archive.getFileName() + ": the signature is not of this file by this key");
        }
    }

    private static void checkChecksum(Path archive, List<String> found) throws IOException {
        Path given = archive.resolveSibling(archive.getFileName() + ".sha256");
        if (!Files.exists(given)) {
            return;
        }
        Matcher line = CHECKSUM.matcher(Files.readString(given));
        if (!line.matches()) {
            found.add(given.getFileName() + ": sha256sum -c can't read it");
        } else if (!line.group(2).equals(archive.getFileName().toString())
                || !line.group(1).equals(PortalRules.checksum(archive, "SHA-256"))) {
            found.add(given.getFileName() + ": the checksum is another file's");
        }
    }

    private void checkEntries(Path archive, List<String> found) throws IOException, InterruptedException {
        Set<String> entries = entries(archive.toString().endsWith(".zip") ? "zip" : "tar.gz");
        REQUIRED.stream()
                .filter(file -> !entries.contains("hasp-" + version + "/" + file))
                .forEach(file -> found.add(archive.getFileName() + ": has no " + file));
        entries.stream()
                .filter(file -> file.contains("SNAPSHOT"))
                .forEach(file -> found.add(archive.getFileName() + ": has the snapshot " + file));
    }

    private Set<String> entries(String kind) throws IOException, InterruptedException {
        if (kind.equals("zip")) {
            try (ZipFile zip = new ZipFile(archive(kind).toFile())) {
                return files(zip.stream().map(ZipEntry::getName));
            }
        }
        Program tar = Program.run(
                folder(),
                Map.of(),
                List.of("tar", "tzf", archive(kind).getFileName().toString()));
        if (tar.exit() != 0) {
            throw new IOException(tar.said());
        }
        return files(tar.said().lines());
    }

    private static Set<String> files(Stream<String> entries) {
        return entries.filter(entry -> !entry.endsWith("/")).collect(Collectors.toCollection(TreeSet::new));
    }
}
