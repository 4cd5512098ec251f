package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Metric;
import io.hasp.evaluation.measure.Results;
import io.hasp.evaluation.measure.ServiceGroup;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.statistics.Pairing;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The summary of one of Hasp's locks: its ratio to each reference, at each workload. */
final class Summary {
    static final String NOT_MEASURED = "–";

    private static final int MOST_IN_A_TABLE = 4;
    private static final int FEWER_IN_A_TABLE = 3;

    private final Results results;
    private final ServiceGroup group;
    private final String subject;

    Summary(Results results, ServiceGroup group, String subject) {
        this.results = results;
        this.group = group;
        this.subject = subject;
    }

    /** A terminal has room for a table of four references. Of five, it has some in a second one. */
    @Override
    public String toString() {
        List<String> all = group.references(subject);
        int each = all.size() > MOST_IN_A_TABLE ? FEWER_IN_A_TABLE : Math.max(1, all.size());
        return IntStream.iterate(0, first -> first == 0 || first < all.size(), first -> first + each)
                .mapToObj(first -> table(all.subList(first, Math.min(all.size(), first + each))))
                .collect(Collectors.joining(System.lineSeparator().repeat(2)));
    }

    private String table(List<String> references) {
        List<String> headings = Stream.concat(
                        Stream.of(subject + " against"), references.stream().map(this::heading))
                .toList();
        return TextTable.table(
                headings,
                results.workloads().stream()
                        .map(workload -> row(workload, references))
                        .toList());
    }

    /** Beside one baseline the word alone is unambiguous, and the table fits a terminal. */
    private String heading(String reference) {
        long baselines = group.references(subject).stream()
                .filter(group.baselines()::contains)
                .count();
        if (!group.baselines().contains(reference) || baselines > 1) {
            return reference;
        }
        return group.isOwn(reference) ? "its client" : "baseline";
    }

    private List<String> row(Workload workload, List<String> references) {
        return Stream.concat(
                        Stream.of(workload.experiment().name() + ", " + workload.shape()),
                        references.stream().map(reference -> ratio(workload, reference)))
                .toList();
    }

    private String ratio(Workload workload, String reference) {
        return ratio(results, group, subject, workload, reference);
    }

    /** Returns the ratio in words; empty if the reference is none at this work. */
    static String ratio(Results results, ServiceGroup group, String subject, Workload workload, String reference) {
        if (!group.isReference(reference, workload)) {
            return "";
        }
        boolean failed = results.failed(workload, subject) || results.failed(workload, reference);
        Metric first = workload.experiment().metrics().get(0);
        return results.ratio(workload, new Pairing(subject, reference), first)
                .map(NumberText::spread)
                .orElse(failed ? "failed" : NOT_MEASURED);
    }
}
