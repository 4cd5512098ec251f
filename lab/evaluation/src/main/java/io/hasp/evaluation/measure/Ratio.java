package io.hasp.evaluation.measure;

import io.hasp.evaluation.statistics.Pairing;
import io.hasp.evaluation.statistics.Spread;

/**
 * One subject's figures relative to another's, divided within each round, so that a disturbance of the machine in that
 * round affects both. Above 1 is better, also for figures of which the lower one is better.
 *
 * @param experiment the question
 * @param subject the numerator: the subject with the advantage if the ratio is above 1
 * @param reference the denominator
 * @param threads threads in each process
 * @param processes number of processes
 * @param holdMs the time of each hold
 * @param at the place on the axis of its curve; 0 if it is on none
 * @param metric the divided figure
 * @param median the interquartile mean of the rounds' logarithms; with fewer than four rounds, their median
 * @param low lower end of the 95 % interval for a repeated run; with fewer than four rounds, the lowest
 * @param high upper end of that interval; with fewer than four rounds, the highest
 * @param n number of rounds
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
                && metric.equals(wanted.label());
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
                metric.label(),
                spread.median(),
                spread.low(),
                spread.high(),
                spread.n());
    }
}
