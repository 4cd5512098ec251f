package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Metric;
import io.hasp.evaluation.measure.Results;
import io.hasp.evaluation.measure.ServiceGroup;
import io.hasp.evaluation.measure.Workload;
import java.util.List;
import java.util.stream.Stream;

/** The figures of one group of subjects at one workload. */
final class ResultsTable {
    private final Results results;
    private final ServiceGroup group;
    private final Workload workload;

    ResultsTable(Results results, ServiceGroup group, Workload workload) {
        this.results = results;
        this.group = group;
        this.workload = workload;
    }

    @Override
    public String toString() {
        List<String> headings = Stream.concat(
                        Stream.of(group.title()), metrics().stream().map(ResultsTable::heading))
                .toList();
        return TextTable.table(
                headings, group.subjects().stream().map(this::row).toList());
    }

    private List<Metric> metrics() {
        return workload.experiment().metrics();
    }

    private List<String> row(String subject) {
        return Stream.concat(Stream.of(subject), metrics().stream().map(metric -> figure(subject, metric)))
                .toList();
    }

    /** The first metric is what the ratios are about, so it shows its spread; the others would only crowd the line. */
    private String figure(String subject, Metric metric) {
        return results.measurement(workload, subject, metric)
                .map(found -> metric == metrics().get(0) ? NumberText.spread(found) : NumberText.number(found.median()))
                .orElse(results.failed(workload, subject) ? "failed" : "–");
    }

    private static String heading(Metric metric) {
        String unit = metric.unit().equals("us") ? "µs" : metric.unit();
        return switch (metric) {
            case CYCLES_PER_S, ACQUISITIONS_PER_S -> metric.label().replace("_per_s", "/s");
            case JAIN -> metric.label();
            case COMMANDS_PER_ACQUISITION -> "commands each";
            case WAIT_P50, WAIT_P99, WAIT_MAX -> metric.label().replace("wait_", "") + ", " + unit;
            case TOLD_ERROR, TOLD_BUSY, TOLD_GRANTED, HUNG, OVERLAPS, STALE_TOKENS ->
                metric.label().replace('_', ' ');
            case CYCLE_P50,
                    CYCLE_P99,
                    CLIENT_CPU,
                    SERVER_CPU,
                    TAKEOVER,
                    GAP,
                    OVERRUN_P50,
                    OVERRUN_MAX,
                    CLIENT_BYTES_PER_HELD,
                    CLIENT_BYTES_PER_WAITER,
                    SERVER_BYTES_PER_HELD,
                    SERVER_BYTES_PER_WAITER -> metric.label().replace('_', ' ') + ", " + unit;
        };
    }
}
