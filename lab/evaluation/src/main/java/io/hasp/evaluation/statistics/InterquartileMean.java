package io.hasp.evaluation.statistics;

import java.util.Arrays;

/**
 * The mean of the middle half: the highest and the lowest quarter are left out. Like a median it bears rounds that were disturbed, as long as
 * they are fewer than a quarter, and it varies less from run to run (J. Tukey, <em>A Survey of Sampling from Contaminated
 * Distributions</em>, 1960).
 */
final class InterquartileMean {
    private InterquartileMean() {}

    /**
     * The mean.
     *
     * @param values at least one; they are sorted
     */
    static double of(double... values) {
        Arrays.sort(values);
        int quarter = values.length / 4;
        return Arrays.stream(values, quarter, values.length - quarter).average().orElseThrow();
    }
}
