package io.hasp.evaluation.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/**
 * The figure of each round, and the fork that the round belongs to.
 *
 * @param rounds in their order
 * @param forks as many as there are rounds; empty if all are of one fork
 */
public record Series(List<Double> rounds, List<Integer> forks) {
    /** Fewer rounds are too few for an interval. */
    public static final int FEWEST = 4;

    /** With lists of its own. */
    public Series {
        rounds = List.copyOf(rounds);
        forks = List.copyOf(forks);
    }

    /**
     * Returns the ratio of two series, with the interval for a repeated run. This is the one rule of difference: two
     * locks differ if 1 lies outside the interval. The series are divided round by round if both have the same rounds.
     * With fewer than four rounds the result is not an interval, but their median, the lowest and the highest ratio.
     *
     * @param mine the series whose advantage is computed
     * @param theirs the series that it is compared with
     * @param lowerIsBetter true if a lower figure is better
     * @param comparisons the number of comparisons made together, for example of the best of k with the k − 1 others:
     *     the interval is wide enough that all of them hold with 95 %
     * @return middle and interval; n is 0 if one has no positive figure
     */
    public static Spread advantage(Series mine, Series theirs, boolean lowerIsBetter, int comparisons) {
        if (!mine.isPositive() || !theirs.isPositive()) {
            return new Spread(Double.NaN, Double.NaN, Double.NaN, 0);
        }
        Series better = lowerIsBetter ? theirs : mine;
        Series worse = lowerIsBetter ? mine : theirs;
        int common = Math.min(mine.rounds.size(), theirs.rounds.size());
        if (mine.hasSameRounds(theirs, common)) {
            return better.dividedBy(worse, common).expected(comparisons);
        }
        return better.unpaired(worse, common, comparisons);
    }

    private boolean isPositive() {
        return !rounds.isEmpty() && rounds.stream().allMatch(each -> each > 0 && Double.isFinite(each));
    }

    private int fork(int round) {
        return forks.isEmpty() ? 0 : forks.get(round);
    }

    private boolean hasSameRounds(Series other, int common) {
        return IntStream.range(0, common).allMatch(round -> fork(round) == other.fork(round));
    }

    private Series dividedBy(Series other, int common) {
        return new Series(
                IntStream.range(0, common)
                        .mapToObj(round -> rounds.get(round) / other.rounds.get(round))
                        .toList(),
                IntStream.range(0, common).mapToObj(this::fork).toList());
    }

    private Spread expected(int comparisons) {
        double[] all = rounds.stream().mapToDouble(Double::doubleValue).toArray();
        Spread seen = Spread.of(all);
        return all.length < FEWEST
                ? seen
                : around(middle(), all.length, Bootstrap.distances(byFork(Math::log), 0), comparisons);
    }

    /** Percentiles of slow locks take the observations of several rounds, so the rounds of two locks may not match. */
    private Spread unpaired(Series other, int common, int comparisons) {
        Spread mine = Spread.of(rounds.stream().mapToDouble(Double::doubleValue).toArray());
        Spread theirs =
                Spread.of(other.rounds.stream().mapToDouble(Double::doubleValue).toArray());
        if (common < FEWEST) {
            return new Spread(
                    mine.median() / theirs.median(), mine.low() / theirs.high(), mine.high() / theirs.low(), common);
        }
        double[] distances = Bootstrap.distances(byFork(Math::log), 0);
        double[] others = Bootstrap.distances(other.byFork(Math::log), 1);
        for (int pair = 0; pair < distances.length; pair++) {
            distances[pair] -= others[pair];
        }
        return around(middle() / other.middle(), common, distances, comparisons);
    }

    /** Of logarithms, so that a ratio and its reciprocal have the same. */
    private double middle() {
        return Math.exp(
                InterquartileMean.of(rounds.stream().mapToDouble(Math::log).toArray()));
    }

    private static Spread around(double median, int n, double[] distances, int comparisons) {
        double times = Math.exp(Bootstrap.halfWidth(distances, comparisons));
        return new Spread(median, median / times, median * times, n);
    }

    private List<double[]> byFork(DoubleUnaryOperator of) {
        Map<Integer, List<Double>> each = new TreeMap<>();
        for (int round = 0; round < rounds.size(); round++) {
            each.computeIfAbsent(fork(round), any -> new ArrayList<>()).add(of.applyAsDouble(rounds.get(round)));
        }
        return each.values().stream()
                .map(values -> values.stream().mapToDouble(Double::doubleValue).toArray())
                .toList();
    }
}
