package io.hasp.evaluation.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class InterquartileMeanTest {
    private static final int RUNS = 2_000;

    @Test
    void the_highest_and_the_lowest_quarter_are_left_out() {
        assertThat(InterquartileMean.of(7)).isEqualTo(7);
        assertThat(InterquartileMean.of(1, 2, 6)).isEqualTo(3);
        assertThat(InterquartileMean.of(9, 1, 4, 2)).isEqualTo(3);
        assertThat(InterquartileMean.of(5, 100, 4, 6, -80, 8, 3, 7)).isEqualTo(5.5);
    }

    @Test
    void three_disturbed_rounds_of_fifteen_move_it_little() {
        double[] rounds =
                DoubleStream.iterate(0.93, each -> each + 0.01).limit(15).toArray();
        rounds[3] = 100;
        rounds[7] = 100;
        rounds[11] = 100;

        assertThat(InterquartileMean.of(rounds)).isCloseTo(1, within(0.03));
    }

    @Test
    void it_varies_less_from_run_to_run_than_the_median() {
        Random random = new Random(3);
        double ofThis = 0;
        double ofMedian = 0;
        for (int run = 0; run < RUNS; run++) {
            double[] rounds =
                    DoubleStream.generate(random::nextGaussian).limit(15).toArray();
            ofMedian += Math.pow(Spread.of(rounds).median(), 2);
            ofThis += Math.pow(InterquartileMean.of(rounds), 2);
        }

        assertThat(ofThis / ofMedian).isLessThan(0.85);
    }
}
