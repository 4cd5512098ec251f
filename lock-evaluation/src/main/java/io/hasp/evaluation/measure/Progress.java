package io.hasp.evaluation.measure;

/** Told how far a comparison is. */
@FunctionalInterface
public interface Progress {

    /**
     * A slice of work begins.
     *
     * @param round the round, 0 for the warm-up
     * @param rounds how many rounds are measured
     * @param done how many slices are done, of all rounds together
     * @param total how many slices there are
     * @param subject who is measured now
     * @param workload at what
     */
    void slice(int round, int rounds, int done, int total, String subject, Workload workload);
}
