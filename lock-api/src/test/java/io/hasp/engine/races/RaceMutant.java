package io.hasp.engine.races;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * One fault that is put into a class of the engine by a change of its source, and the race that must show it. The race runs in a
 * JVM of its own, with the changed class first on its class path: Lincheck looks classes up by their name alone, and a race that
 * never ends is ended with its process.
 *
 * @param name says what is wrong, for the report
 * @param type the class, whose source is changed
 * @param original what is replaced; occurs exactly once in the source, or the mutant does not apply any more
 * @param replacement what stands there instead
 * @param test the class of the test that has the race
 * @param race its method
 * @param explorer what must find it
 */
record RaceMutant(
        String name,
        Class<?> type,
        String original,
        String replacement,
        Class<?> test,
        String race,
        Explorer explorer) {
    /** The tool that decides where threads switch. */
    enum Explorer {
        /** Lincheck: all interleavings with few switches, then some of those with more. */
        INTERLEAVINGS("full", 0, 1),
        /** The processors, or the script of the test. */
        REAL_THREADS("fast", 20_000, 3);

        private final String tier;
        private final int millis;
        /** More where the scheduler decides: threads seldom meet on a busy machine. */
        private final int tries;

        Explorer(String tier, int millis, int tries) {
            this.tier = tier;
            this.millis = millis;
            this.tries = tries;
        }
    }

    private static final Path SOURCES = Path.of("src", "main", "java");
    /** Of processor time: on a busy machine, the same search takes longer. */
    private static final Duration MOST = Duration.ofMinutes(1);

    private static final Duration LONGEST = Duration.ofMinutes(5);

    private static final String FOUND = "found: ";

    /** The changed source. */
    String source() throws IOException {
        String source = Files.readString(SOURCES.resolve(file()), UTF_8);
        int at = source.indexOf(original);
        if (at < 0 || source.indexOf(original, at + 1) >= 0) {
            throw new AssertionError("mutant '" + name + "' does not apply: its text occurs "
                    + (at < 0 ? "nowhere" : "more than once") + " in " + file() + ": " + original);
        }
        return source.replace(original, replacement);
    }

    private String file() {
        return type.getName().replace('.', '/') + ".java";
    }

    /** Returns the failure that the race shows; null if it shows none within a minute of processor time, on real threads three times. */
    @Nullable
    String found(Path folder) throws IOException, InterruptedException {
        Path classes = compiled(folder);
        String found = null;
        for (int tries = explorer.tries; tries > 0 && found == null; tries--) {
            found = raced(classes, folder);
        }
        return found;
    }

    private @Nullable String raced(Path classes, Path folder) throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        ProcessBuilder command = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+IgnoreUnrecognizedVMOptions",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+EnableDynamicAgentLoading",
                "-XX:+UseSerialGC");
        if (explorer == Explorer.INTERLEAVINGS) {
            // One thread runs at a time; where there seem to be more processors, the others spin until it is their
            // turn.
            command.command().addAll(List.of("-XX:ActiveProcessorCount=1", "-XX:TieredStopAtLevel=1"));
        }
        command.command()
                .addAll(List.of(
                        "-Dhasp.tier=" + explorer.tier,
                        "-Dhasp.races.millis=" + explorer.millis,
                        "-cp",
                        classes + System.getProperty("path.separator") + System.getProperty("java.class.path"),
                        Races.class.getName(),
                        test.getName(),
                        race));
        Process process = command.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = endsInTime(process);
            return ended && process.exitValue() == 0 ? null : whatWasFound(Files.readAllLines(output));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static boolean endsInTime(Process process) throws InterruptedException {
        long begun = System.nanoTime();
        while (!process.waitFor(1, TimeUnit.SECONDS)) {
            Duration used = process.info().totalCpuDuration().orElse(LONGEST);
            if ((used.compareTo(MOST) > 0 && elapsed(begun).compareTo(MOST) > 0)
                    || elapsed(begun).compareTo(LONGEST) > 0) {
                return false;
            }
        }
        return true;
    }

    private static Duration elapsed(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    /** A process that fails in another way, or never ends, has found nothing. */
    private @Nullable String whatWasFound(List<String> output) {
        for (int i = 0; i < output.size(); i++) {
            if (output.get(i).startsWith(FOUND)) {
                return String.join("\n", output.subList(i, output.size()));
            }
        }
        System.out.println("mutant '" + name + "' says:\n" + String.join("\n", output));
        return null;
    }

    private Path compiled(Path folder) throws IOException {
        Path changed = folder.resolve(type.getSimpleName() + ".java");
        Files.writeString(changed, source());
        Path classes = Files.createDirectories(folder.resolve("classes"));
        ToolProvider compiler = ToolProvider.findFirst("javac").orElseThrow();
        int code = compiler.run(
                System.out,
                System.out,
                "-proc:none",
                "-nowarn",
                "-Xlint:none",
                "-implicit:none",
                "--release",
                "17",
                "-d",
                classes.toString(),
                "-classpath",
                System.getProperty("java.class.path"),
                changed.toString());
        if (code != 0) {
            throw new AssertionError("mutant '" + name + "' does not compile");
        }
        return classes;
    }

    @Override
    public String toString() {
        return name;
    }
}
