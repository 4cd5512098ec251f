package io.hasp.evaluation.measure;

import java.time.Duration;
import java.util.List;

/**
 * How much time a comparison takes, and how it is cut into slices.
 *
 * @param rounds how many rounds are measured; one more goes before them as warm-up
 * @param budget how long all slices together may take
 * @param limit how long everything may take, from the command to the last slice: what servers that start slowly take is
 *     made up for by fewer rounds
 * @param longestSlice what a slice of weight one gets at most: few subjects end early instead of filling the budget
 */
public record Pace(int rounds, Duration budget, Duration limit, Duration longestSlice) {

    /**
     * How long a comparison takes.
     *
     * @param workloads what is done
     * @param subjects by how many
     * @return about the time of all slices together
     */
    public Duration expected(List<Workload> workloads, int subjects) {
        return workloads.stream()
                .map(workload -> slice(workload, workloads, subjects))
                .reduce(Duration.ZERO, Duration::plus)
                .multipliedBy((long) subjects * (rounds + 1));
    }

    Duration slice(Workload workload, List<Workload> workloads, int subjects) {
        long weights = workloads.stream().mapToLong(Workload::weight).sum() * subjects;
        Duration fair = budget.dividedBy(weights * (rounds + 1));
        Duration unit = fair.compareTo(longestSlice) < 0 ? fair : longestSlice;
        return unit.multipliedBy(workload.weight());
    }
}
