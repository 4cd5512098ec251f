package io.hasp.conformance.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Decides how this JVM runs its servers. They run in containers if Testcontainers is on the class path and a Docker
 * engine answers, otherwise as native processes. The system property {@code hasp.servers} overrides that: {@code auto},
 * {@code native} or {@code containers}. The choice is made once and printed. A server program named by
 * {@code hasp.redis.server} runs natively.
 */
enum Hosting {
    NATIVE("native processes on 127.0.0.1 (" + RedisBinary.version() + ", ZooKeeper "
            + org.apache.zookeeper.Version.getVersion() + ")"),
    CONTAINERS("containers on this machine's network (" + Hosting.REDIS_IMAGE + ", " + Hosting.ZOOKEEPER_IMAGE + ")");

    static final String PROPERTY = "hasp.servers";
    static final String REDIS_IMAGE = "redis:7-alpine";
    static final String ZOOKEEPER_IMAGE = "zookeeper:3.9";

    private final String words;

    Hosting(String words) {
        this.words = words;
    }

    /** A server's program and its arguments, natively and in an image. */
    record Program(List<String> command, String image, List<String> commandInImage) {}

    private static final class Choice {
        static final Hosting MADE = announced(choose(System.getProperty(PROPERTY, "auto")));
    }

    static Hosting chosen() {
        return Choice.MADE;
    }

    static Hosting choose(String wish) {
        return switch (wish.toLowerCase(Locale.ROOT)) {
            case "auto" -> !RedisBinary.chosen() && containersPossible() ? CONTAINERS : NATIVE;
            case "native" -> NATIVE;
            case "containers" -> {
                if (!containersPossible()) {
                    throw new ServerException(
                            PROPERTY + "=containers needs Linux, Testcontainers on the class path and a Docker engine"
                                    + " that answers",
                            null);
                }
                yield CONTAINERS;
            }
            default ->
                throw new ServerException(
                        PROPERTY + " is '" + wish + "', but has to be auto, native or containers", null);
        };
    }

    /** Elsewhere than on Linux an engine runs in a virtual machine, whose network and processes are not ours. */
    private static boolean containersPossible() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return false;
        }
        try {
            return ContainerServerRun.possible();
        } catch (NoClassDefFoundError noTestcontainers) {
            return false;
        }
    }

    private static Hosting announced(Hosting choice) {
        System.err.println("hasp: servers are " + choice.words);
        return choice;
    }

    ServerRun start(Program program, Path folder, Path log) throws IOException {
        return switch (this) {
            case NATIVE -> NativeServerRun.start(program.command(), folder, log);
            case CONTAINERS -> ContainerServerRun.start(program.image(), program.commandInImage(), folder, log);
        };
    }
}
