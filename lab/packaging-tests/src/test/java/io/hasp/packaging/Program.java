package io.hasp.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program that ran to its end in a process of its own. */
record Program(int exit, String said) {
    private static final long LIMIT_SECONDS = 900;

    static Program java(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
        command.addAll(List.of(arguments));
        return run(Path.of("."), environment, command);
    }

    /** Runs with this environment and no HASP_URI but from there; what it says goes through a file, so no pipe fills up. */
    static Program run(Path folder, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("hasp-program-", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().remove("HASP_URI");
            builder.environment().putAll(environment);
            Process process = builder.start();
            try {
                if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                    throw new IllegalStateException(command + " did not end; it said:\n" + Files.readString(output));
                }
                return new Program(process.exitValue(), Files.readString(output));
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
