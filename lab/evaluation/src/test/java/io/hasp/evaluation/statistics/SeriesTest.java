package io.hasp.evaluation.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@InTier(Tier.STANDARD)
class SeriesTest {
    private static final int RUNS = 300;
    private static final int CROWDS = Tier.current() == Tier.FULL ? 75 : 25;

    @Test
    void a_ratio_above_one_is_better_also_where_the_lower_figure_is() {
        assertThat(Series.advantage(of(100), of(300), true, 1)).isEqualTo(new Spread(3, 3, 3, 1));
        assertThat(Series.advantage(of(100), of(300), false, 1).median()).isEqualTo(1.0 / 3);
    }

    @Test
    void too_few_rounds_tell_only_what_was_seen() {
        assertThat(Series.advantage(of(1, 4, 2), of(1, 1, 1), false, 1)).isEqualTo(new Spread(2, 1, 4, 3));
    }

    @Test
    void rounds_that_are_all_alike_leave_nothing_open() {
        assertThat(Series.advantage(of(2, 2, 2, 2), of(1, 1, 1, 1), false, 1)).isEqualTo(new Spread(2, 2, 2, 4));
    }

    /** As a run with another JVM would give other figures in all of its rounds. */
    @Test
    void forks_that_differ_widen_the_interval_more_than_rounds_that_do() {
        List<Double> rounds = List.of(1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7);
        Series reference = new Series(Collections.nCopies(8, 1.0), List.of(0, 1, 2, 3, 3, 2, 1, 0));
        Spread mixed = Series.advantage(new Series(rounds, reference.forks()), reference, false, 1);
        List<Integer> inTheirOrder = List.of(0, 0, 1, 1, 2, 2, 3, 3);
        Spread apart = Series.advantage(
                new Series(rounds, inTheirOrder), new Series(reference.rounds(), inTheirOrder), false, 1);

        assertThat(apart.high()).isGreaterThan(mixed.high());
    }

    @Test
    void percentiles_of_other_rounds_than_the_reference_s_are_compared_all_the_same() {
        Series four = new Series(List.of(8.0, 9.0, 10.0, 11.0), List.of(0, 0, 1, 1));
        Series more = new Series(List.of(1.0, 1.1, 0.9, 1.0, 1.0, 1.1), List.of(0, 0, 0, 1, 1, 1));

        Spread spread = Series.advantage(four, more, false, 1);

        assertThat(spread.n()).isEqualTo(4);
        assertThat(spread.median()).isBetween(9.0, 10.0);
        assertThat(spread.low()).isBetween(6.0, 9.0);
        assertThat(spread.high()).isBetween(10.0, 15.0);
    }

    /** Forks differ by as much as rounds do, or not at all. */
    @Test
    void another_run_lies_within_the_brackets_as_often_as_is_said() {
        for (double ofForks : List.of(0.0, 0.1, 0.2)) {
            Random random = new Random(7);
            int inside = 0;
            for (int run = 0; run < RUNS; run++) {
                Spread first = Series.advantage(run(random, ofForks), ones(15), false, 1);
                double second = Series.advantage(run(random, ofForks), ones(15), false, 1)
                        .median();
                inside += first.low() <= second && second <= first.high() ? 1 : 0;
            }
            assertThat((double) inside / RUNS).as("forks differ by " + ofForks).isBetween(0.82, 0.99);
        }
    }

    /** Of ten locks that are all alike, the best one is said to differ from another one as seldom as that is for two. */
    @Test
    void the_best_of_many_is_seldom_said_to_differ_from_those_that_are_alike() {
        Random random = new Random(11);
        int wrong = 0;
        int wrongWithoutCorrection = 0;
        for (int run = 0; run < CROWDS; run++) {
            List<Series> locks = new ArrayList<>();
            for (int lock = 0; lock < 10; lock++) {
                locks.add(run(random, 0.1));
            }
            locks.sort((one, other) -> Double.compare(median(other), median(one)));
            wrong += anyDiffers(locks, 9) ? 1 : 0;
            wrongWithoutCorrection += anyDiffers(locks, 1) ? 1 : 0;
        }
        assertThat(wrong).isLessThanOrEqualTo(CROWDS / 10);
        assertThat(wrongWithoutCorrection).isGreaterThan(wrong);
    }

    private static boolean anyDiffers(List<Series> best, int comparisons) {
        return best.stream()
                .skip(1)
                .anyMatch(each ->
                        Series.advantage(best.get(0), each, false, comparisons).low() > 1);
    }

    private static double median(Series series) {
        return Series.advantage(series, ones(15), false, 1).median();
    }

    /** As many as a default run has. */
    private static Series run(Random random, double ofForks) {
        List<Double> rounds = new ArrayList<>();
        List<Integer> forks = new ArrayList<>();
        for (int fork = 0; fork < 3; fork++) {
            double its = ofForks * random.nextGaussian();
            for (int round = 0; round < 5; round++) {
                rounds.add(Math.exp(its + 0.2 * random.nextGaussian()));
                forks.add(fork);
            }
        }
        return new Series(rounds, forks);
    }

    private static Series ones(int rounds) {
        return new Series(
                Collections.nCopies(rounds, 1.0),
                IntStream.range(0, rounds).mapToObj(round -> round / 5).toList());
    }

    private static Series of(double... rounds) {
        return new Series(Arrays.stream(rounds).boxed().toList(), List.of());
    }
}
