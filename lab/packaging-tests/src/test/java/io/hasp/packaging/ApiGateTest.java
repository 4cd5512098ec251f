package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.ScratchFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The build fails on an incompatible change of the API that is recorded in the repository. */
class ApiGateTest {
    /** The suite is for tests, whose authors follow it; the classes of lock-spring-boot3 are found by Spring Boot alone. */
    private static final List<String> WITHOUT_API = List.of("lock-conformance-tests", "lock-spring-boot3");

    static List<String> artifacts() {
        return LocalRepository.ARTIFACTS.stream()
                .filter(artifact -> !WITHOUT_API.contains(artifact))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void the_api_of_each_library_is_recorded(String artifact) throws IOException {
        assertThat(new RecordedApi(artifact).file())
                .as("docs/internals/releasing.md has the command that records it")
                .exists();
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void the_record_of_each_library_has_types(String artifact) throws IOException {
        assertThat(new RecordedApi(artifact).types())
                .as("an empty record is compared with nothing")
                .isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    @EnabledIfSystemProperty(named = "hasp.api", matches = "write", disabledReason = "writes files of this repository")
    void the_api_is_recorded_anew(String artifact) throws IOException {
        new RecordedApi(artifact).write();
    }

    @Test
    @Timeout(900)
    @InTier(Tier.FULL)
    void a_method_that_is_gone_fails_the_build() throws Exception {
        try (ScratchFolder folder = ScratchFolder.create()) {
            Path sources = ReleaseBuild.copySources(folder.path().resolve("sources"));
            assertThat(verify(sources).exit()).isZero();
            Path broken = sources.resolve("lock-memory/src/main/java/io/hasp/memory/VirtualTime.java");
            Files.writeString(broken, Files.readString(broken).replace("void pause(", "void pauseFor("));
            Program build = verify(sources);
            assertThat(build.said()).contains("METHOD_REMOVED").contains("io.hasp.memory.VirtualTime.pause(");
            assertThat(build.exit()).isNotZero();
        }
    }

    private static Program verify(Path sources) throws IOException, InterruptedException {
        return Maven.tryRun(
                sources,
                Path.of(System.getProperty("hasp.test.repository")),
                Map.of("MAVEN_OPTS", "-XX:TieredStopAtLevel=1"),
                "verify",
                "-pl",
                ":lock-memory",
                "-am",
                "-Dmaven.test.skip=true",
                "-Dhasp.compiler.checks=-Xlint:none");
    }
}
