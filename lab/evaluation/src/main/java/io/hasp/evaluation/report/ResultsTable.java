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
                        Stream.of(group.title()), metrics().stream().map(Metric::heading))
                .toList();
        return TextTable.table(
                headings,
                group.subjects().stream()
                        .filter(subject -> results.hasLine(workload, subject))
                        .map(this::row)
                        .toList());
    }

    private List<Metric> metrics() {
        return workload.experiment().metrics().stream()
                .filter(Metric::isForTheTerminal)
                .toList();
    }

    private List<String> row(String subject) {
        String name = DisplayNames.in(workload.experiment().name(), subject);
        return Stream.concat(Stream.of(name), metrics().stream().map(metric -> figure(subject, metric)))
                .toList();
    }

    /** The first metric is what the ratios are about, so it shows its spread; the others would only crowd the line. */
    private String figure(String subject, Metric metric) {
        return results.measurement(workload, subject, metric)
                .map(found -> metric == metrics().get(0) ? NumberText.spread(found) : NumberText.number(found.median()))
                .orElse(results.failed(workload, subject) ? "failed" : "–");
    }
}
