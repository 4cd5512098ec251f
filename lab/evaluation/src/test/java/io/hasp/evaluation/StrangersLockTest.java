package io.hasp.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.evaluation.measure.Schedule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The class of docs/your-own-lock.md, compiled outside of the tree and packed into a jar, takes part. */
@InTier(Tier.STANDARD)
class StrangersLockTest {
    private static final Schedule SHORT = new Schedule(
            1, Duration.ofSeconds(2), Duration.ofSeconds(60), Duration.ofMillis(200), Duration.ofMillis(100));
    private static final Path PAGE = Path.of("..", "..", "docs", "your-own-lock.md");

    @TempDir
    private Path folder;

    @Test
    void the_lock_of_the_documentation_is_measured_and_may_fail_a_build() throws IOException {
        Path jar = jar("com.example.MyLock");
        String[] arguments = {
            "--only", "uncontended", "--subjects", "baseline-redis", "--subject-jar", jar.toString(), "--rounds", "4"
        };

        CommandRun run = CommandRun.of(SHORT, Files.createDirectory(folder.resolve("first")), arguments);

        assertThat(run.exit()).as(run.said()).isZero();
        assertThat(run.figure("my-lock", "cycle_p50")).isPositive();
        assertThat(run.out()).contains("my-lock");
        assertThat(run.results().path("safety").toString()).contains("my-lock");

        Path better = Files.writeString(
                folder.resolve("better.json"),
                Files.readString(folder.resolve("first/results.json"))
                        .replaceAll(
                                "(\"subject\" : \"my-lock\",\\s+\"reference\"[^}]*\"median\" : )[0-9.E-]+",
                                "$11000.0"));
        CommandRun worse = CommandRun.of(
                SHORT,
                Files.createDirectory(folder.resolve("second")),
                "--only",
                "uncontended",
                "--subjects",
                "baseline-redis",
                "--subject-jar",
                jar.toString(),
                "--rounds",
                "4",
                "--baseline",
                better.toString(),
                "--fail-below",
                "0.9");

        assertThat(worse.exit()).as(worse.said()).isEqualTo(Hasp.WORSE);
        assertThat(worse.err().lines().filter(line -> line.startsWith("hasp: worse")))
                .singleElement()
                .asString()
                .contains("my-lock against baseline-redis at uncontended", "was ×1,000", "the limit is 0.9");
    }

    @Test
    void a_jar_without_a_lock_is_one_clear_line() throws IOException {
        Path jar = jar("");
        CommandRun run = CommandRun.of(SHORT, folder.resolve("out"), "--subject-jar", jar.toString());

        assertThat(run.exit()).isEqualTo(Hasp.WRONG_INPUT);
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .contains("has no META-INF/services/io.hasp.conformance.LockSubject that names a lock");
        assertThat(CommandRun.of(SHORT, folder.resolve("out"), "--subject-jar", "absent.jar")
                        .err())
                .contains("--subject-jar: there is no file absent.jar");
        assertThat(CommandRun.of(SHORT, folder.resolve("out"), "--baseline", "absent.json")
                        .err())
                .contains("--baseline absent.json is no results.json that can be read: absent.json");
    }

    private Path jar(String service) throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf("```java") + "```java".length();
        String source = page.substring(begin, page.indexOf("```", begin));
        Path project = Files.createDirectories(folder.resolve("project"));
        Path file = Files.writeString(project.resolve("MyLock.java"), source);
        int compiled = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-d",
                        project.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        file.toString());
        assertThat(compiled).isZero();
        Path jar = folder.resolve("my.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            add(zip, "META-INF/services/io.hasp.conformance.LockSubject", service.getBytes(StandardCharsets.UTF_8));
            for (String name : new String[] {"MyLock.class", "MyLock$1.class"}) {
                add(zip, "com/example/" + name, Files.readAllBytes(project.resolve("com/example/" + name)));
            }
        }
        return jar;
    }

    private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content);
        zip.closeEntry();
    }
}
