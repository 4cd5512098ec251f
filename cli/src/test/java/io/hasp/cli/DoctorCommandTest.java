package io.hasp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hasp.conformance.servers.RedisServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Output and exit code of {@code hasp doctor}. The checks themselves are tested beside the backends. */
class DoctorCommandTest {
    @ParameterizedTest
    @CsvSource({
        "OK-OK, 0, Nothing to do.",
        "OK-WARN, 0, First: check WARN.",
        "UNKNOWN-OK, 0, First: check UNKNOWN.",
        "UNKNOWN-WARN-FAIL, 1, First: check FAIL."
    })
    void the_last_line_says_what_to_do_first(String levels, int code, String last) {
        InProcess run = InProcess.run("doctor", "doctored://" + levels);
        assertThat(run.exit()).isEqualTo(code);
        List<String> lines = run.out().lines().toList();
        assertThat(lines).hasSize(levels.split("-").length + 1);
        assertThat(lines.get(lines.size() - 1)).startsWith(last);
    }

    @Test
    void of_a_real_server_the_worst_finding_is_first_to_do() {
        try (RedisServer redis = RedisServer.start("maxmemory-policy allkeys-lru")) {
            InProcess run = InProcess.run("doctor", redis.uri());
            assertThat(run.exit()).isEqualTo(1);
            assertThat(run.out().lines().reduce("", (before, line) -> line))
                    .startsWith("First: eviction policy. allkeys-lru may evict a lock");
            redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            assertThat(InProcess.run("doctor", redis.uri()).out()).endsWith("Nothing to do.\n");
        }
    }

    @Test
    void each_line_has_level_check_text_and_page() {
        List<String> lines =
                InProcess.run("doctor", "doctored://OK-FAIL").out().lines().toList();
        assertThat(lines.get(0)).isEqualTo("OK      check OK    found\\u001b OK");
        assertThat(lines.get(1)).isEqualTo("FAIL    check FAIL  found\\u001b FAIL (docs/versions.md)");
    }

    @Test
    void json_has_one_finding_a_line() {
        List<String> lines = InProcess.run("doctor", "--format", "json", "doctored://OK-FAIL")
                .out()
                .lines()
                .toList();
        assertThat(lines).hasSize(2);
        JsonObject json = JsonParser.parseString(lines.get(1)).getAsJsonObject();
        assertThat(json.keySet()).containsExactly("level", "check", "text", "page");
        assertThat(json.get("level").getAsString()).isEqualTo("FAIL");
        assertThat(json.get("page").getAsString()).isEqualTo("versions.md");
    }

    @Test
    void a_service_is_named_by_an_argument_or_the_environment() {
        try (RedisServer redis = RedisServer.start();
                HaspProcess named = HaspProcess.start(redis.uri(), "doctor");
                HaspProcess unnamed = HaspProcess.start("", "doctor")) {
            assertThat(named.exit()).isLessThanOrEqualTo(1);
            assertThat(named.out().lines().toList()).hasSizeGreaterThan(1);
            assertThat(unnamed.exit()).isEqualTo(64);
            assertThat(unnamed.err()).contains("HASP_URI");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"locks", "watch x", "break x --token 1 --yes", "run x true"})
    void a_command_without_a_service_names_both_ways_to_name_one(String line) {
        try (HaspProcess unnamed = HaspProcess.start("", line.split(" "))) {
            assertThat(unnamed.exit()).isEqualTo(64);
            assertThat(unnamed.err())
                    .startsWith("hasp: no lock service is named: ")
                    .contains("--uri", "HASP_URI");
        }
    }
}
