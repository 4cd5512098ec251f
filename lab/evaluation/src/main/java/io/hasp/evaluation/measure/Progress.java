package io.hasp.evaluation.measure;

/** Receives the progress of a comparison. */
@FunctionalInterface
public interface Progress {

    /**
     * A slice of work begins.
     *
     * @param round the round, 0 for the warm-up
     * @param rounds how many rounds are measured
     * @param done how much is done, of all rounds together: the milliseconds it should have taken
     * @param total the milliseconds that everything should take
     * @param subject who is measured now
     * @param workload at what
     */
    void slice(int round, int rounds, long done, long total, String subject, Workload workload);
}
