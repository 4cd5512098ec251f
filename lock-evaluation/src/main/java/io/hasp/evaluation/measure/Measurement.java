package io.hasp.evaluation.measure;

/**
 * One figure of one subject, as {@code results.json} states it.
 *
 * @param experiment the question
 * @param subject the lock
 * @param threads how many threads in each process
 * @param processes how many processes
 * @param holdMs how long each hold lasted
 * @param metric the figure
 * @param unit what it is counted in
 * @param median over the rounds
 * @param low lowest round
 * @param high highest round
 * @param n how many rounds
 */
public record Measurement(
        String experiment,
        String subject,
        int threads,
        int processes,
        long holdMs,
        String metric,
        String unit,
        double median,
        double low,
        double high,
        int n) {

    boolean isOf(Workload workload, Metric wanted) {
        return experiment.equals(workload.experiment().label())
                && processes == workload.processes()
                && threads == workload.threads()
                && holdMs == workload.holdMillis()
                && metric.equals(wanted.label(workload));
    }

    static Measurement of(Workload workload, String subject, Metric metric, Spread spread) {
        return new Measurement(
                workload.experiment().label(),
                subject,
                workload.threads(),
                workload.processes(),
                workload.holdMillis(),
                metric.label(workload),
                metric.unit(),
                spread.median(),
                spread.low(),
                spread.high(),
                spread.n());
    }
}
