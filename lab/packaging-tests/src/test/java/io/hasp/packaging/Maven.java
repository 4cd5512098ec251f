package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The Maven that builds this project, with its settings, on artifacts installed for a stranger. */
final class Maven {
    private Maven() {}

    /** Fails if Maven does. */
    static void run(Path folder, LocalRepository repository, String... goals) throws IOException, InterruptedException {
        run(folder, repository.path(), Map.of("MAVEN_OPTS", "-XX:TieredStopAtLevel=1"), goals);
    }

    /** Fails if Maven does. */
    static void run(Path folder, Path repository, Map<String, String> environment, String... goals)
            throws IOException, InterruptedException {
        Program maven = tryRun(folder, repository, environment, goals);
        assertThat(maven.exit()).as(maven.said()).isZero();
    }

    /** Returns the outcome even of a build that fails. */
    static Program tryRun(Path folder, Path repository, Map<String, String> environment, String... goals)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("hasp.test.maven"), "bin", "mvn").toString(),
                "-B",
                "-ntp",
                "-Dmaven.repo.local=" + repository));
        Path settings = Path.of(System.getProperty("hasp.test.settings").replaceFirst("^file ", ""));
        if (Files.exists(settings)) {
            command.addAll(List.of("-s", settings.toString()));
        }
        if (System.getProperty("hasp.test.offline").equals("offline true")) {
            command.add("-o");
        }
        command.addAll(List.of(goals));
        Map<String, String> all = new HashMap<>(environment);
        all.put("JAVA_HOME", System.getProperty("java.home"));
        return Program.run(folder, all, command);
    }
}
