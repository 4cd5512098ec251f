package io.hasp.evaluation.statistics;

import java.util.Arrays;

/**
 * Middle and spread of several rounds.
 *
 * @param median the median of the rounds; of a ratio of four rounds or more, the mean of their middle half
 * @param low the lowest round, or the lower end of an interval
 * @param high the highest round, or the upper end of an interval
 * @param n how many rounds there were
 */
public record Spread(double median, double low, double high, int n) {
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
}
