package io.hasp.evaluation.measure;

/**
 * Median and spread of several rounds.
 *
 * @param median the middle of the rounds
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
        double median = Bootstrap.median(sorted);
        return new Spread(median, sorted[0], sorted[sorted.length - 1], sorted.length);
    }
}
