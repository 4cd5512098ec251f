package io.hasp.evaluation.measure;

import io.hasp.evaluation.statistics.Pairing;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All results of a comparison.
 *
 * @param workloads the work, in the order of reports
 * @param subjects the participants, in the order of reports
 * @param measurements each figure with its spread
 * @param ratios the subjects' figures relative to each other
 * @param safety observations of each subject's safety during the measurement
 * @param failures the failures of subjects
 * @param interrupted true if the comparison ended before its time
 */
public record Results(
        List<Workload> workloads,
        List<String> subjects,
        List<Measurement> measurements,
        List<Ratio> ratios,
        Map<String, Safety> safety,
        List<Failure> failures,
        boolean interrupted) {

    /**
     * Finds a figure.
     *
     * @param workload the work
     * @param subject the lock
     * @param metric the figure
     * @return empty if it was not measured
     */
    public Optional<Measurement> measurement(Workload workload, String subject, Metric metric) {
        return measurements.stream()
                .filter(found -> found.isOf(workload, metric) && found.subject().equals(subject))
                .findFirst();
    }

    /**
     * Finds a ratio.
     *
     * @param workload the work
     * @param pairing who against whom
     * @param metric the figure
     * @return empty if one of the two was not measured
     */
    public Optional<Ratio> ratio(Workload workload, Pairing pairing, Metric metric) {
        return ratios.stream()
                .filter(found -> found.isOf(workload, metric)
                        && found.subject().equals(pairing.subject())
                        && found.reference().equals(pairing.reference()))
                .findFirst();
    }

    /**
     * Returns the ratios of each workload's first figure, which the terminal shows.
     *
     * @return some of {@link #ratios()}
     */
    public List<Ratio> ratiosOfFirstFigures() {
        return ratios.stream()
                .filter(each -> workloads.stream()
                        .anyMatch(work ->
                                each.isOf(work, work.experiment().metrics().get(0))))
                .toList();
    }

    /**
     * Returns the observations of a subject's safety.
     *
     * @param subject the lock
     * @return no observations if it was not measured at all
     */
    public Safety safetyOf(String subject) {
        return safety.getOrDefault(subject, Safety.NOTHING_SEEN);
    }

    /**
     * Returns true if a subject could not be measured.
     *
     * @param workload the work
     * @param subject the lock
     * @return true if it failed
     */
    public boolean failed(Workload workload, String subject) {
        return failures.stream().anyMatch(failure -> failure.subject().equals(subject) && failure.isOf(workload));
    }

    /**
     * Returns true if reports have a line for a subject. A lock that does not take part in some work has no line there.
     *
     * @param workload the work
     * @param subject the lock
     * @return true if it was measured, failed, or should have been measured when the comparison was interrupted
     */
    public boolean hasLine(Workload workload, String subject) {
        return failed(workload, subject)
                || workload.experiment().metrics().stream()
                        .anyMatch(
                                metric -> measurement(workload, subject, metric).isPresent())
                || (interrupted && workload.experiment().needs().isEmpty());
    }

    /**
     * Returns the number of starts of the client processes whose figures are here.
     *
     * @return 0 if nothing was measured
     */
    public long forks() {
        return measurements.stream()
                .flatMap(each -> each.forks().stream())
                .distinct()
                .count();
    }

    /**
     * Returns true if every subject was measured and no violation was observed.
     *
     * @param others subjects whose failures and violations do not count
     * @return true for a clean run
     */
    public boolean clean(Set<String> others) {
        return failures.stream().allMatch(failure -> others.contains(failure.subject()))
                && safety.entrySet().stream()
                        .allMatch(seen -> seen.getValue().violations() == 0 || others.contains(seen.getKey()));
    }
}
