package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Group;
import io.hasp.evaluation.measure.Metric;
import io.hasp.evaluation.measure.Pairing;
import io.hasp.evaluation.measure.Results;
import io.hasp.evaluation.measure.Workload;
import java.util.List;
import java.util.stream.Stream;

/** The figures of one group of subjects at one workload, and how each compares with the references. */
final class ResultsTable {
    private final Results results;
    private final Group group;
    private final Workload workload;

    ResultsTable(Results results, Group group, Workload workload) {
        this.results = results;
        this.group = group;
        this.workload = workload;
    }

    @Override
    public String toString() {
        List<String> headings = Stream.of(
                        Stream.of(group.title()),
                        metrics().stream().map(ResultsTable::heading),
                        references().stream().map(reference -> "against " + reference))
                .flatMap(each -> each)
                .toList();
        return Columns.table(headings, group.subjects().stream().map(this::row).toList());
    }

    private List<Metric> metrics() {
        return workload.experiment().metrics();
    }

    private List<String> references() {
        return group.references(workload);
    }

    private List<String> row(String subject) {
        return Stream.of(
                        Stream.of(subject),
                        metrics().stream().map(metric -> figure(subject, metric)),
                        references().stream().map(reference -> ratio(new Pairing(subject, reference))))
                .flatMap(each -> each)
                .toList();
    }

    /** The first metric is what the ratios are about, so it shows its spread; the others would only crowd the line. */
    private String figure(String subject, Metric metric) {
        return results.measurement(workload, subject, metric)
                .map(found -> metric == metrics().get(0) ? Figures.spread(found) : Figures.number(found.median()))
                .orElse("failed");
    }

    private String ratio(Pairing pairing) {
        return pairing.subject().equals(pairing.reference())
                ? "1"
                : results.ratio(workload, pairing, metrics().get(0))
                        .map(Figures::spread)
                        .orElse("");
    }

    private static String heading(Metric metric) {
        String words = metric.label().replace("_per_s", "/s").replace('_', ' ');
        return switch (metric.unit()) {
            case "us" -> words + ", µs";
            case "ms" -> words + ", ms";
            default -> words;
        };
    }
}
