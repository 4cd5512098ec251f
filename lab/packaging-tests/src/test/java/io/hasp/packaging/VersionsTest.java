package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The table of docs/versions.md is what the build and {@link CombinationsTest} have. {@code -Dhasp.versions=write} writes it there,
 * for the change of a version.
 */
class VersionsTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path PAGE = ROOT.resolve("docs/versions.md");
    private static final Pattern TABLE = Pattern.compile("(?s)(?<=<!-- made by VersionsTest -->\n).*?(?=<!-- end -->)");
    private static final Path OWN_SERVER =
            ROOT.resolve("lock-conformance-tests/src/main/java/io/hasp/conformance/servers/RedisBinary.java");

    @Test
    void the_table_of_versions_is_what_the_tests_run_with() throws IOException {
        List<String> rows = new ArrayList<>(List.of(
                "| project | Jedis | Lettuce | Redisson | Netty | Curator | run by |",
                "|---|---|---|---|---|---|---|"));
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        rows.add(row(
                "this build: all tests",
                version(pom, "jedis"),
                version(pom, "lettuce"),
                version(pom, "redisson"),
                "theirs",
                version(pom, "curator"),
                "`mvn verify`"));
        Combination.quick("").forEach(one -> rows.add(row(one, "`mvn verify -Pstandard`")));
        Combination.full("").forEach(one -> rows.add(row(one, "`mvn verify -Pfull`")));
        String table = String.join("\n", rows) + "\n";
        String page = Files.readString(PAGE);
        if ("write".equals(System.getProperty("hasp.versions"))) {
            Files.writeString(PAGE, TABLE.matcher(page).replaceFirst(Matcher.quoteReplacement(table)));
        } else {
            assertThat(TABLE.matcher(page).results().map(MatchResult::group))
                    .as("the table of docs/versions.md; -Dhasp.versions=write writes it")
                    .containsExactly(table);
        }
    }

    @Test
    void the_servers_that_come_with_the_tests_are_on_the_page() throws IOException {
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        assertThat(Files.readString(PAGE))
                .contains("| Redis " + found(Files.readString(OWN_SERVER), " VERSION = \"([^\"]+)\"") + " |")
                .contains("| ZooKeeper " + version(pom, "zookeeper") + " |")
                .contains("| PostgreSQL " + version(pom, "postgres.server").replaceFirst("\\.0$", "") + " |")
                .contains("Curator " + version(pom, "curator"));
    }

    private static String row(Combination combination, String command) {
        return row(
                "`" + combination + "`",
                combination.jedis(),
                combination.lettuce(),
                combination.redisson().orElse("–"),
                combination.netty(),
                combination.curator(),
                command);
    }

    private static String row(String... cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    private static String version(String pom, String library) {
        return found(pom, "<" + library + ".version>([^<]+)<");
    }

    private static String found(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }
}
