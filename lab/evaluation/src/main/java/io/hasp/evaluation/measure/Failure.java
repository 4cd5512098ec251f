package io.hasp.evaluation.measure;

/**
 * A subject that could not be measured to the end in one workload.
 *
 * @param experiment the question
 * @param subject the lock
 * @param threads how many threads in each process
 * @param processes how many processes
 * @param locks how many different locks they took
 * @param holdMs how long each hold was to last
 * @param at where on the axis of its curve; 0 if it is on none
 * @param why what it threw, in words
 */
public record Failure(
        String experiment, String subject, int threads, int processes, int locks, long holdMs, double at, String why) {

    /** On no curve. */
    public Failure(String experiment, String subject, int threads, int processes, int locks, long holdMs, String why) {
        this(experiment, subject, threads, processes, locks, holdMs, 0, why);
    }

    static Failure of(Workload workload, String subject, Throwable why) {
        String words = why.getMessage() == null ? why.getClass().getSimpleName() : why.getMessage();
        return new Failure(
                workload.experiment().name(),
                subject,
                workload.threads(),
                workload.processes(),
                workload.locks(),
                workload.holdMillis(),
                workload.at(),
                Redaction.of(words));
    }

    boolean isOf(Workload workload) {
        return experiment.equals(workload.experiment().name())
                && processes == workload.processes()
                && threads == workload.threads()
                && locks == workload.locks()
                && holdMs == workload.holdMillis()
                && at == workload.at();
    }
}
