package io.hasp.evaluation.measure;

import io.hasp.evaluation.statistics.Pairing;
import io.hasp.evaluation.statistics.Spread;

/**
 * How many times better one subject did than another. Divided within each round, so that what disturbed the machine in
 * that round disturbed both; above 1 is better, also where the lower figure is the better one.
 *
 * @param experiment the question
 * @param subject whose advantage it is
 * @param reference over whom
 * @param threads how many threads in each process
 * @param processes how many processes
 * @param holdMs how long each hold lasted
 * @param at where on the axis of its curve; 0 if it is on none
 * @param metric the figure divided
 * @param median the mean of the middle half of the rounds, of their logarithms; of fewer than four rounds, their median
 * @param low lower end of the 95 % interval for a repeated run; of fewer than four rounds, the lowest
 * @param high upper end of that interval; of fewer than four rounds, the highest
 * @param n how many rounds
 */
public record Ratio(
        String experiment,
        String subject,
        String reference,
        int threads,
        int processes,
        long holdMs,
        double at,
        String metric,
        double median,
        double low,
        double high,
        int n) {

    /** On no curve. */
    public Ratio(
            String experiment,
            String subject,
            String reference,
            int threads,
            int processes,
            long holdMs,
            String metric,
            double median,
            double low,
            double high,
            int n) {
        this(experiment, subject, reference, threads, processes, holdMs, 0, metric, median, low, high, n);
    }

    boolean isOf(Workload workload, Metric wanted) {
        return experiment.equals(workload.experiment().name())
                && processes == workload.processes()
                && threads == workload.threads()
                && holdMs == workload.holdMillis()
                && at == workload.at()
                && metric.equals(wanted.label(workload));
    }

    static Ratio of(Workload workload, Pairing pairing, Metric metric, Spread spread) {
        return new Ratio(
                workload.experiment().name(),
                pairing.subject(),
                pairing.reference(),
                workload.threads(),
                workload.processes(),
                workload.holdMillis(),
                workload.at(),
                metric.label(workload),
                spread.median(),
                spread.low(),
                spread.high(),
                spread.n());
    }
}
