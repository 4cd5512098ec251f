package io.hasp.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The dashboard's queries select series of a scrape, and each series of the scrape is in some panel. */
class DashboardTest {
    private static final Pattern SELECTOR = Pattern.compile("(hasp_\\w+)\\{([^}]*)}");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(=~?)\"([^\"]*)\"");
    private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)})? (\\S+)");

    private record Sample(String name, Map<String, String> labels, double value) {}

    private static List<Sample> scrape() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new LocksInTrouble(LockMetrics.on(registry)).happen();
        List<Sample> samples = new ArrayList<>();
        for (String line : registry.scrape().lines().toList()) {
            Matcher sample = SAMPLE.matcher(line);
            if (!line.startsWith("#") && sample.matches()) {
                Map<String, String> labels = new HashMap<>();
                Matcher label = MATCHER.matcher(sample.group(2) == null ? "" : sample.group(2));
                while (label.find()) {
                    labels.put(label.group(1), label.group(3));
                }
                // Prometheus adds it.
                labels.put("instance", "10.0.0.1:8080");
                samples.add(new Sample(sample.group(1), labels, Double.parseDouble(sample.group(3))));
            }
        }
        return samples;
    }

    private static List<String> queries() throws IOException {
        List<String> queries = new ArrayList<>();
        for (JsonNode panel : dashboard().get("panels")) {
            assertThat(panel.get("targets")).as(panel.get("title").asText()).isNotEmpty();
            panel.get("targets")
                    .forEach(target -> queries.add(target.get("expr").asText()));
        }
        return queries;
    }

    private static JsonNode dashboard() throws IOException {
        try (InputStream json = LockMetrics.class.getResourceAsStream("grafana-dashboard.json")) {
            return new ObjectMapper().readTree(json);
        }
    }

    private static boolean selects(String matchers, Sample sample) {
        Matcher matcher = MATCHER.matcher(matchers.replace("$instance", ".*"));
        boolean all = true;
        while (matcher.find()) {
            String value = sample.labels.getOrDefault(matcher.group(1), "");
            String wanted = matcher.group(3);
            all &= matcher.group(2).equals("=") ? value.equals(wanted) : value.matches(wanted);
        }
        return all;
    }

    @Test
    void each_query_of_each_panel_selects_series_with_data() throws IOException {
        List<Sample> samples = scrape();
        List<String> queries = queries();
        assertThat(queries).hasSizeGreaterThan(10);
        for (String query : queries) {
            Matcher selector = SELECTOR.matcher(query);
            int selectors = 0;
            while (selector.find()) {
                selectors++;
                String matchers = selector.group(2);
                assertThat(samples)
                        .as(query + ": " + selector.group())
                        .anyMatch(sample ->
                                sample.name.equals(selector.group(1)) && selects(matchers, sample) && sample.value > 0);
            }
            assertThat(query.split("hasp_", -1)).as(query).hasSize(selectors + 1);
            assertThat(selectors).as(query).isPositive();
        }
    }

    @Test
    void labels_by_which_a_query_groups_are_there() throws IOException {
        Pattern by = Pattern.compile("by \\((\\w+)\\)");
        for (String query : queries()) {
            Matcher selector = SELECTOR.matcher(query);
            assertThat(selector.find()).isTrue();
            Matcher label = by.matcher(query);
            while (label.find()) {
                assertThat(scrape())
                        .filteredOn(sample -> sample.name.equals(selector.group(1)))
                        .as(query)
                        .isNotEmpty()
                        .allMatch(sample -> sample.labels.containsKey(label.group(1)));
            }
        }
    }

    @Test
    void each_meter_is_in_some_panel() throws IOException {
        Set<String> meters = new HashSet<>();
        for (Sample sample : scrape()) {
            meters.add(sample.name.replaceFirst("_seconds.*|_total", ""));
        }
        String all = String.join("\n", queries());
        assertThat(meters).hasSize(8).allMatch(all::contains);
    }

    @Test
    void the_buckets_of_a_percentile_reach_from_a_millisecond_to_a_minute() {
        assertThat(scrape())
                .filteredOn(sample -> sample.name.equals("hasp_lock_held_seconds_bucket"))
                .extracting(sample -> sample.labels.get("le"))
                .contains("0.001", "60.0", "+Inf")
                .hasSize(16);
    }
}
