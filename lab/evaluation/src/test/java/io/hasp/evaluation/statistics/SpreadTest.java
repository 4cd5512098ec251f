package io.hasp.evaluation.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SpreadTest {

    @Test
    void of_an_odd_number_of_rounds_the_median_is_the_middle_one() {
        assertThat(Spread.of(9, 1, 4)).isEqualTo(new Spread(4, 1, 9, 3));
    }

    @Test
    void of_an_even_number_of_rounds_the_median_lies_between_the_two_in_the_middle() {
        assertThat(Spread.of(10, 1, 4, 3)).isEqualTo(new Spread(3.5, 1, 10, 4));
    }

    @Test
    void one_round_has_no_spread() {
        assertThat(Spread.of(7)).isEqualTo(new Spread(7, 7, 7, 1));
    }

    @Test
    void no_round_has_no_median() {
        assertThatIllegalArgumentException().isThrownBy(Spread::of);
    }
}
