package io.hasp.evaluation.measure;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Median and spread of several rounds.
 *
 * @param median the middle of the rounds
 * @param low the lowest round, or the lower end of an interval
 * @param high the highest round, or the upper end of an interval
 * @param n how many rounds there were
 */
public record Spread(double median, double low, double high, int n) {
    private static final int FEWEST = 4;
    private static final double TWO_SIDED_95 = 0.975;

    /** By how much the median of normally distributed values varies more than their mean. */
    private static final double OF_A_MEDIAN = Math.sqrt(Math.PI / 2);

    /**
     * Summarises rounds.
     *
     * @param rounds one value for each round, at least one
     * @return their median, lowest and highest
     */
    public static Spread of(double... rounds) {
        if (rounds.length == 0) {
            throw new IllegalArgumentException("no rounds");
        }
        double[] sorted = rounds.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1], sorted.length);
    }

    /**
     * The 95 % interval for the median of a repeated run with as many rounds, if runs differ as rounds do: Student's
     * prediction interval, of logarithms, because twice as good is as far from 1 as half as good. Fewer than four
     * rounds give no interval; they are shown by the lowest and the highest.
     *
     * @param rounds one ratio for each round, at least one, all of them positive
     * @return their median and that interval
     */
    public static Spread expected(double... rounds) {
        Spread seen = of(rounds);
        if (seen.n < FEWEST) {
            return seen;
        }
        double[] logs = Arrays.stream(rounds).map(Math::log).toArray();
        double mean = Arrays.stream(logs).average().orElseThrow();
        double squares =
                Arrays.stream(logs).map(each -> (each - mean) * (each - mean)).sum();
        double deviation = Math.sqrt(squares / (seen.n - 1));
        double student = TDistribution.of(seen.n - 1).inverseCumulativeProbability(TWO_SIDED_95);
        double times = Math.exp(student * OF_A_MEDIAN * deviation * Math.sqrt(2.0 / seen.n));
        return new Spread(seen.median, seen.median / times, seen.median * times, seen.n);
    }
}
