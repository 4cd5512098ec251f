package io.hasp.evaluation.measure;

import io.hasp.evaluation.statistics.Series;
import io.hasp.evaluation.statistics.Spread;
import java.util.List;

/**
 * One figure of one subject, as {@code results.json} states it.
 *
 * @param experiment the question
 * @param subject the lock
 * @param threads how many threads in each process
 * @param processes how many processes
 * @param holdMs how long each hold lasted
 * @param at where on the axis of its curve; 0 if it is on none
 * @param metric the figure
 * @param unit what it is counted in
 * @param median over the rounds
 * @param low lowest round
 * @param high highest round
 * @param n how many rounds
 * @param rounds the figure of each round, in their order; empty if only their sum is known
 * @param forks the fork that each round belongs to; empty if that is not known
 */
public record Measurement(
        String experiment,
        String subject,
        int threads,
        int processes,
        long holdMs,
        double at,
        String metric,
        String unit,
        double median,
        double low,
        double high,
        int n,
        List<Double> rounds,
        List<Integer> forks) {

    /** With lists of its own. */
    public Measurement {
        rounds = List.copyOf(rounds);
        forks = List.copyOf(forks);
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
        this(
                experiment,
                subject,
                threads,
                processes,
                holdMs,
                0,
                metric,
                unit,
                median,
                low,
                high,
                n,
                List.of(),
                List.of());
    }

    /**
     * The figures of its rounds.
     *
     * @return with the fork of each
     */
    public Series series() {
        return new Series(rounds, forks);
    }

    boolean isOf(Workload workload, Metric wanted) {
        return experiment.equals(workload.experiment().name())
                && processes == workload.processes()
                && threads == workload.threads()
                && holdMs == workload.holdMillis()
                && at == workload.at()
                && metric.equals(wanted.label());
    }

    static Measurement of(Workload workload, String subject, Metric metric, Series series) {
        Spread spread = Spread.of(
                series.rounds().stream().mapToDouble(Double::doubleValue).toArray());
        return new Measurement(
                workload.experiment().name(),
                subject,
                workload.threads(),
                workload.processes(),
                workload.holdMillis(),
                workload.at(),
                metric.label(),
                metric.unit(),
                spread.median(),
                spread.low(),
                spread.high(),
                spread.n(),
                series.rounds(),
                series.forks());
    }
}
