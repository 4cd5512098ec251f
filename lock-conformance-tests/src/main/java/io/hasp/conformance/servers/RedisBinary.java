package io.hasp.conformance.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Redis server that native processes run: the static one that the embedded-redis artifact carries, unpacked once per JVM, or the
 * program that the system property {@code hasp.redis.server} names, such as a Valkey server of this machine.
 */
final class RedisBinary {
    static final String PROPERTY = "hasp.redis.server";

    private static final String VERSION = "7.0.15";
    private static final Pattern SAID = Pattern.compile("(\\w+) server v=([\\w.\\-]+) .*");

    private static final class Holder {
        static final Path PATH = chosen() ? Path.of(System.getProperty(PROPERTY)) : extract();
    }

    private RedisBinary() {}

    /** Returns true if another program than the bundled one is configured. */
    static boolean chosen() {
        return !System.getProperty(PROPERTY, "").isEmpty();
    }

    static Path path() {
        return Holder.PATH;
    }

    /** Such as {@code Redis 7.0.15} or {@code Valkey 8.0.1}. */
    static String version() {
        return chosen() ? version(path()) : "Redis " + VERSION;
    }

    private static String version(Path program) {
        try {
            Process process = new ProcessBuilder(program.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return version(program, said);
        } catch (IOException e) {
            throw new ServerException(PROPERTY + " names " + program + ", which does not start", e);
        }
    }

    static String version(Path program, String said) {
        Matcher version = SAID.matcher(said);
        if (!version.matches()) {
            throw new ServerException(
                    PROPERTY + " names " + program
                            + ", which is no Redis or Valkey server: asked for its version, it says '" + said + "'",
                    null);
        }
        return version.group(1) + " " + version.group(2);
    }

    private static Path extract() {
        String resource = "/redis-server-" + VERSION + "-" + platform();
        try (InputStream binary = RedisBinary.class.getResourceAsStream(resource)) {
            if (binary == null) {
                throw new ServerException("no Redis server for this machine: " + resource + " not found", null);
            }
            Path path = ProcessGuard.get().newFolder("bin").resolve("redis-server");
            Files.copy(binary, path);
            if (!path.toFile().setExecutable(true)) {
                throw new ServerException("can't make " + path + " executable", null);
            }
            return path;
        } catch (IOException e) {
            throw new ServerException("can't unpack " + resource, e);
        }
    }

    private static String platform() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        String cpu = arch.equals("aarch64") || arch.equals("arm64") ? "arm64" : "amd64";
        return (os.startsWith("mac") ? "darwin" : os) + "-" + cpu;
    }
}
