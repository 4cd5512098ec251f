package io.hasp.evaluation.measure;

import io.hasp.evaluation.statistics.Pairing;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that a comparison found.
 *
 * @param workloads what was done, in the order in which it is reported
 * @param subjects who took part, in the order in which they are reported
 * @param measurements each figure with its spread
 * @param ratios how the subjects compare
 * @param safety what was seen of each subject's safety meanwhile
 * @param failures who failed at what
 * @param interrupted whether it ended before its time
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
     * What was seen of a subject's safety.
     *
     * @param subject the lock
     * @return nothing if it was not measured at all
     */
    public Safety safetyOf(String subject) {
        return safety.getOrDefault(subject, Safety.NOTHING_SEEN);
    }

    /**
     * Whether a subject could not be measured.
     *
     * @param workload the work
     * @param subject the lock
     * @return true if it failed
     */
    public boolean failed(Workload workload, String subject) {
        return failures.stream().anyMatch(failure -> failure.subject().equals(subject) && failure.isOf(workload));
    }

    /**
     * Whether there is something to tell about a subject: a lock that does not take part in some work has no line there.
     *
     * @param workload the work
     * @param subject the lock
     * @return true if it was measured, failed, or should have been measured when the comparison was interrupted
     */
    public boolean tells(Workload workload, String subject) {
        return failed(workload, subject)
                || workload.experiment().metrics().stream()
                        .anyMatch(
                                metric -> measurement(workload, subject, metric).isPresent())
                || (interrupted && workload.experiment().needs().isEmpty());
    }

    /**
     * Whether everything was measured and nothing was seen that must not happen.
     *
     * @return true if so
     */
    public boolean clean() {
        return failures.isEmpty() && safety.values().stream().allMatch(seen -> seen.violations() == 0);
    }
}
