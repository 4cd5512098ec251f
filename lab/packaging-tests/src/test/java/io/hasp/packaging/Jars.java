package io.hasp.packaging;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The jars that this build made, and the libraries they need. */
record Jars(List<Path> files) {
    private static final Path TARGET = Path.of("target").toAbsolutePath();

    /** The dependencies of {@code lock-redis}: one client library of Redis, and that library's own. */
    static final List<String> OF_LOCK_REDIS = List.of(
            "lock-api",
            "lock-redis",
            "jedis",
            "commons-pool2",
            "gson",
            "error_prone_annotations",
            "json",
            "redis-authx-core",
            "slf4j-api");

    /** The libraries and this module's own program. */
    static Jars all() {
        try (Stream<Path> libraries = Files.list(TARGET.resolve("lib"));
                Stream<Path> own = Files.list(TARGET)) {
            return new Jars(Stream.concat(
                            libraries,
                            own.filter(file -> file.getFileName().toString().startsWith("lock-packaging-tests-")))
                    .filter(file -> file.toString().endsWith(".jar"))
                    .sorted(Comparator.naturalOrder())
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Jars of(String... artifacts) {
        return all().only(file -> List.of(artifacts).contains(artifact(file)));
    }

    static Jars ofLockRedis() {
        return all().only(file -> OF_LOCK_REDIS.contains(artifact(file)));
    }

    /** Libraries of this module's own class path that applications bring themselves, by a pattern of their artifact ids. */
    static Jars ofClassPath(String names) {
        return new Jars(Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(file -> file.getFileName().toString().matches("(" + names + ")-\\d.*"))
                .toList());
    }

    static Path shaded() {
        return TARGET.resolve("shaded.jar");
    }

    private static String artifact(Path file) {
        return file.getFileName().toString().replaceFirst("-\\d.*", "");
    }

    private Jars only(Predicate<Path> wanted) {
        return new Jars(files.stream().filter(wanted).toList());
    }

    Jars and(Jars others) {
        return new Jars(Stream.concat(files.stream(), others.files.stream()).toList());
    }

    Jars without(Jars others) {
        return only(file -> !others.files.contains(file));
    }

    /** As {@code -cp} and {@code -p} take it. */
    String path() {
        return files.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    URL[] urls() {
        return files.stream().map(Jars::url).toArray(URL[]::new);
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
