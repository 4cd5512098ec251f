package io.hasp.evaluation.measure;

import java.util.List;
import java.util.stream.DoubleStream;

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
 * @param rounds the figure of each round, in their order; empty if only their sum is known
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
        int n,
        List<Double> rounds) {

    /** With a list of its own. */
    public Measurement {
        rounds = List.copyOf(rounds);
    }

    /** Of which only the sum of the rounds is known. */
    public Measurement(
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
        this(experiment, subject, threads, processes, holdMs, metric, unit, median, low, high, n, List.of());
    }

    boolean isOf(Workload workload, Metric wanted) {
        return experiment.equals(workload.experiment().name())
                && processes == workload.processes()
                && threads == workload.threads()
                && holdMs == workload.holdMillis()
                && metric.equals(wanted.label(workload));
    }

    static Measurement of(Workload workload, String subject, Metric metric, double... rounds) {
        Spread spread = Spread.of(rounds);
        return new Measurement(
                workload.experiment().name(),
                subject,
                workload.threads(),
                workload.processes(),
                workload.holdMillis(),
                metric.label(workload),
                metric.unit(),
                spread.median(),
                spread.low(),
                spread.high(),
                spread.n(),
                DoubleStream.of(rounds).boxed().toList());
    }
}
