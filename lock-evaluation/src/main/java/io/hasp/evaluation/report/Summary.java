package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Group;
import io.hasp.evaluation.measure.Metric;
import io.hasp.evaluation.measure.Pairing;
import io.hasp.evaluation.measure.Results;
import io.hasp.evaluation.measure.Workload;
import java.util.List;
import java.util.stream.Stream;

/** What one of Hasp's locks comes to: at each workload, how it compares with each reference. */
final class Summary {
    private final Results results;
    private final Group group;
    private final String subject;

    Summary(Results results, Group group, String subject) {
        this.results = results;
        this.group = group;
        this.subject = subject;
    }

    @Override
    public String toString() {
        List<String> headings = Stream.concat(
                        Stream.of(subject + " against"),
                        results.workloads().stream().map(Summary::heading))
                .toList();
        List<List<String>> rows = Stream.concat(group.peers().stream(), group.floors().stream())
                .map(this::row)
                .toList();
        return Columns.table(headings, rows);
    }

    private static String heading(Workload workload) {
        return workload.experiment().label()
                + (workload.experiment().oneName() ? ", hold " + workload.holdMillis() + " ms" : "");
    }

    private List<String> row(String reference) {
        return Stream.concat(
                        Stream.of(reference), results.workloads().stream().map(workload -> ratio(workload, reference)))
                .toList();
    }

    private String ratio(Workload workload, String reference) {
        Metric first = workload.experiment().metrics().get(0);
        return group.references(workload).contains(reference)
                ? results.ratio(workload, new Pairing(subject, reference), first)
                        .map(Figures::spread)
                        .orElse("failed")
                : "";
    }
}
