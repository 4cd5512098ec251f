package io.hasp.conformance.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The static Redis server that the embedded-redis artifact carries, unpacked once per JVM. */
final class RedisBinary {
    static final String VERSION = "7.0.15";

    private static final class Holder {
        static final Path PATH = extract();
    }

    private RedisBinary() {}

    static Path path() {
        return Holder.PATH;
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
