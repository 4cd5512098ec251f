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
 * @param why what it threw, in words
 */
public record Failure(
        String experiment, String subject, int threads, int processes, int locks, long holdMs, String why) {

    static Failure of(Workload workload, String subject, Throwable why) {
        String words = why.getMessage() == null ? why.getClass().getSimpleName() : why.getMessage();
        return new Failure(
                workload.experiment().name(),
                subject,
                workload.threads(),
                workload.processes(),
                workload.locks(),
                workload.holdMillis(),
                words);
    }

    boolean isOf(Workload workload) {
        return experiment.equals(workload.experiment().name())
                && processes == workload.processes()
                && threads == workload.threads()
                && locks == workload.locks()
                && holdMs == workload.holdMillis();
    }
}
