package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Results;
import io.hasp.evaluation.measure.ServiceGroup;
import io.hasp.evaluation.measure.Workload;
import java.util.ArrayList;
import java.util.List;

/** One table of the ratios of Hasp's locks to their references on all services: a row for each pair and workload. */
final class RatioTable {
    private final List<List<String>> rows = new ArrayList<>();

    RatioTable(Results results, List<ServiceGroup> groups) {
        for (ServiceGroup group : groups) {
            for (String subject : group.hasp()) {
                for (String reference : group.references(subject)) {
                    results.workloads().forEach(workload -> add(results, group, subject, reference, workload));
                }
            }
        }
    }

    private void add(Results results, ServiceGroup group, String subject, String reference, Workload workload) {
        String ratio = Summary.ratio(results, group, subject, workload, reference);
        if (!ratio.isEmpty() && !ratio.equals(Summary.NOT_MEASURED)) {
            String work = workload.experiment().name() + ", " + workload.shape();
            rows.add(List.of(subject + " : " + reference + ", " + work, ratio));
        }
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    @Override
    public String toString() {
        return TextTable.table(List.of("lock : other lock, work", "times better"), rows);
    }
}
