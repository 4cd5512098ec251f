package io.hasp.evaluation.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Estimates the distance between the middle of this run and that of a repeated run; see {@link InterquartileMean}. It
 * draws runs from the measured values with replacement: forks first, then rounds within each fork. A JVM compiles a
 * lock once, for better or worse, and all its rounds show that (T. Kalibera, R. Jones, <em>Rigorous Benchmarking in
 * Reasonable Time</em>, 2013). The distance between two such runs is the expected distance between this run and another
 * one. The rounds' noise counts twice, once in the forks' own figures. That compensates for the small number of forks,
 * as long as forks do not differ more than rounds do.
 */
final class Bootstrap {
    private static final int PAIRS = 2_000;
    private static final long SEED = 20_260_101;
    private static final double ERROR = 0.05;

    private Bootstrap() {}

    /**
     * Returns the distances between the middles of two runs each.
     *
     * @param stream separates draws that are used together
     */
    static double[] distances(List<double[]> forks, long stream) {
        SplittableRandom random = new SplittableRandom(SEED + stream);
        double[] distances = new double[PAIRS];
        for (int pair = 0; pair < PAIRS; pair++) {
            double one = InterquartileMean.of(run(forks, random));
            double other = InterquartileMean.of(run(forks, random));
            distances[pair] = one - other;
        }
        return distances;
    }

    /** The half width of the interval, so that all of several comparisons hold together: Bonferroni's correction. */
    static double halfWidth(double[] distances, int comparisons) {
        double[] sorted = Arrays.stream(distances).map(Math::abs).sorted().toArray();
        double rank = Math.ceil((1 - ERROR / comparisons) * sorted.length);
        return sorted[(int) Math.min(sorted.length, rank) - 1];
    }

    private static double[] run(List<double[]> forks, SplittableRandom random) {
        double[][] drawn = new double[forks.size()][];
        int size = 0;
        for (int fork = 0; fork < drawn.length; fork++) {
            drawn[fork] = forks.get(random.nextInt(forks.size()));
            size += drawn[fork].length;
        }
        double[] rounds = new double[size];
        int next = 0;
        for (double[] fork : drawn) {
            for (int round = 0; round < fork.length; round++) {
                rounds[next++] = fork[random.nextInt(fork.length)];
            }
        }
        return rounds;
    }
}
