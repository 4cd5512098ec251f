package io.hasp.evaluation.measure;

import java.util.Arrays;

/**
 * What several rounds say together.
 *
 * @param median the middle of the rounds
 * @param low the lowest round
 * @param high the highest round
 * @param n how many rounds there were
 */
public record Spread(double median, double low, double high, int n) {

    /**
     * Sums rounds up.
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
