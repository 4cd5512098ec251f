package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.EnvironmentMissingException;
import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** A stranger's build by Gradle, 4.4 or later, which gets Hasp from the folder of a staged release, and all else from the central repository. */
@Timeout(1800)
@InTier(Tier.FULL)
@DisabledIfSystemProperty(
        named = "hasp.test.offline",
        matches = "offline true",
        disabledReason = "without a network Gradle finds no library")
class StrangersGradleTest {
    private static final String BUILD = """
            apply plugin: 'java'
            sourceCompatibility = '17'
            repositories {
                maven { url = uri('%s') }
                mavenCentral()
            }
            dependencies {
                implementation 'io.hasp:lock-redis:%2$s'
                implementation 'io.hasp:lock-zookeeper:%2$s'
            }
            task libraries(type: Copy) {
                from configurations.runtimeClasspath
                from jar
                into 'libraries'
            }
            """;

    @Test
    void a_build_by_gradle_takes_locks_on_redis_and_zookeeper() throws Exception {
        if (Stream.of(System.getenv("PATH").split(":"))
                .noneMatch(folder -> Files.isExecutable(Path.of(folder, "gradle")))) {
            throw new EnvironmentMissingException("no gradle is on the path");
        }
        try (ScratchFolder scratch = ScratchFolder.create();
                RedisServer redis = RedisServer.start();
                ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            Path shared = Path.of(System.getProperty("hasp.test.repository"));
            LocalRepository repository = LocalRepository.in(scratch.path().resolve("repository"), shared);
            Path project = Files.createDirectories(scratch.path().resolve("project"));
            Files.writeString(project.resolve("settings.gradle"), "rootProject.name = 'stranger'\n");
            Files.writeString(
                    project.resolve("build.gradle"),
                    BUILD.formatted(repository.staging().orElseThrow().toUri(), repository.version()));
            Files.copy(
                    Path.of("src/main/java/io/hasp/packaging/TakeLocks.java"),
                    Files.createDirectories(project.resolve("src/main/java/io/hasp/packaging"))
                            .resolve("TakeLocks.java"));
            Program gradle = Program.run(
                    project,
                    Map.of("JAVA_HOME", System.getProperty("java.home")),
                    List.of(
                            "gradle",
                            "--no-daemon",
                            "-q",
                            "-g",
                            scratch.path().resolve("gradle").toString(),
                            "libraries"));
            assertThat(gradle.exit()).as(gradle.said()).isZero();
            Program program = Program.java(
                    Map.of(),
                    "-cp",
                    project.resolve("libraries") + "/*",
                    TakeLocks.class.getName(),
                    redis.uri(),
                    "zookeeper://" + zookeeper.connectString());
            assertThat(program.exit()).as(program.said()).isZero();
            assertThat(program.said()).containsPattern("locked at redis:.*\nlocked at zookeeper:.*, token \\d+");
        }
    }
}
