package io.hasp.evaluation.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The sources of Hasp's locks, identified by their content. Shows if they are the sources that the suite was run on. */
final class LockSources {
    /** Stands for an unknown value, of a run or of an earlier file. */
    static final String UNKNOWN = "unknown";

    /** System property: the folder that this was built in. */
    private static final String HOME = "hasp.home";

    static final List<String> MODULES = List.of("lock-api", "lock-redis", "lock-zookeeper", "lock-postgres");
    private static final int BYTES = 8;

    private LockSources() {}

    /** Of the folder that this program was started from; {@link #UNKNOWN} if there are no sources. */
    static String here() {
        Path home = Path.of(System.getProperty(HOME, ""));
        try {
            return MODULES.stream().allMatch(module -> Files.isDirectory(sources(home, module))) ? hash(home) : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** For each module, a hash of the names and the contents of its files. */
    static String hash(Path home) throws IOException {
        StringJoiner all = new StringJoiner(" ");
        for (String module : MODULES) {
            all.add(module + "=" + hash(home, module));
        }
        return all.toString();
    }

    /** Returns true if these modules have the same hash in both. */
    static boolean same(String then, String now, List<String> modules) {
        return modules.stream().allMatch(module -> of(then, module).equals(of(now, module)));
    }

    private static List<String> of(String hashes, String module) {
        return Stream.of(hashes.split(" "))
                .filter(each -> each.startsWith(module + "="))
                .toList();
    }

    private static String hash(Path home, String module) throws IOException {
        Map<String, Path> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(sources(home, module))) {
            all.filter(Files::isRegularFile)
                    .forEach(file -> files.put(home.relativize(file).toString().replace('\\', '/'), file));
        }
        MessageDigest digest = sha256();
        for (Map.Entry<String, Path> file : files.entrySet()) {
            digest.update(file.getKey().getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            digest.update(Files.readAllBytes(file.getValue()));
            digest.update((byte) 0);
        }
        return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    }

    private static Path sources(Path home, String module) {
        return home.resolve(module).resolve("src").resolve("main");
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new UncheckedIOException(new IOException("every Java has it", e));
        }
    }
}
