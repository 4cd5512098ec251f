package io.hasp.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.micrometer.LockMetrics;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Not one item is oversold, with real processes, HTTP, database and Redis. */
@Timeout(240)
class FlashSaleTest {

    @Test
    void nothing_is_oversold_when_an_instance_is_killed() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            FlashSale.Result result = FlashSale.run(redis.port());
            assertThat(result.leftOver()).as("%s", result).isZero();
            assertThat(result.sales()).as("%s", result).isEqualTo(FlashSale.STOCK);
            assertThat(result.confirmed())
                    .as("a sale that was confirmed is in the database: %s", result)
                    .isLessThanOrEqualTo(result.sales());
            assertThat(result.counts()).as("runs of the job: %s", result).isPositive();
            assertThat(result.ofFirst()).as("%s", result).isBetween(1, FlashSale.STOCK - 1);
            assertPageOfPrometheus(result.metrics());
            assertThat(result.lock())
                    .contains("\"name\":\"stock/1\"", "\"kind\":\"EXCLUSIVE\"", "\"label\":\"stock-taking\"")
                    .containsPattern("\"fencingToken\":\"\\d+\"")
                    .containsPattern("\"since\":\"20\\d\\d-[^\"]+Z\"");
            assertShownByTheDashboard(result.metrics());
        }
    }

    /** The shop has Boot's actuator, a registry, and no property of Hasp's for this. */
    private static void assertPageOfPrometheus(String page) {
        for (String name : List.of(
                "hasp_lock_acquire_seconds_count{client=\"lockClient\",outcome=\"acquired\"}",
                "hasp_lock_acquire_seconds_count{client=\"lockClient\",outcome=\"contended\"}",
                "hasp_lock_acquire_seconds_count{client=\"lockClient\",outcome=\"unavailable\"}",
                "hasp_lock_acquire_seconds_bucket{client=\"lockClient\",outcome=\"acquired\",le=\"0.001\"}",
                "hasp_lock_held_seconds_count{client=\"lockClient\"}",
                "hasp_lock_lost_total{client=\"lockClient\"}",
                "hasp_lock_suspect_total{client=\"lockClient\"}",
                "hasp_lock_handed_off_total{client=\"lockClient\"}",
                "hasp_lock_waiting{client=\"lockClient\"}",
                "hasp_lock_active{client=\"lockClient\"}",
                "hasp_renewal_delay_seconds_count{client=\"lockClient\"}")) {
            assertThat(page).contains(name + " ");
        }
        assertThat(value(page, "hasp_lock_acquire_seconds_count{client=\"lockClient\",outcome=\"acquired\"}"))
                .isPositive();
        assertThat(value(page, "hasp_lock_held_seconds_count{client=\"lockClient\"}"))
                .isPositive();
        assertThat(page).as("observed calls").contains("hasp_lock_call_seconds_count{");
        assertThat(page).as("names of locks").doesNotContain("stock/1");
    }

    /** The series that the dashboard selects are on the page; Prometheus adds the label instance. */
    private static void assertShownByTheDashboard(String page) throws IOException {
        String dashboard;
        try (InputStream json = LockMetrics.class.getResourceAsStream("grafana-dashboard.json")) {
            dashboard = new String(json.readAllBytes(), StandardCharsets.UTF_8).replace("\\\"", "\"");
        }
        Matcher selector = Pattern.compile("(hasp_\\w+)\\{([^}]*)}").matcher(dashboard);
        int selectors = 0;
        while (selector.find()) {
            selectors++;
            List<String> labels = Stream.of(selector.group(2).split(","))
                    .filter(label -> !label.startsWith("instance") && label.contains("=\""))
                    .toList();
            assertThat(page.lines()
                            .filter(line -> line.startsWith(selector.group(1) + "{"))
                            .filter(line -> labels.stream().allMatch(line::contains)))
                    .as(selector.group())
                    .isNotEmpty();
        }
        assertThat(selectors).isGreaterThan(10);
    }

    private static double value(String page, String name) {
        return page.lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
                .sum();
    }
}
