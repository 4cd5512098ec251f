package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NumberTextTest {

    @Test
    void numbers_show_three_digits() {
        assertThat(NumberText.number(0.0123456)).isEqualTo("0.0123");
        assertThat(NumberText.number(0.98765)).isEqualTo("0.988");
        assertThat(NumberText.number(1)).isEqualTo("1.00");
        assertThat(NumberText.number(23.456)).isEqualTo("23.5");
        assertThat(NumberText.number(456.7)).isEqualTo("457");
        assertThat(NumberText.number(0)).isEqualTo("0");
    }

    @Test
    void thousands_are_set_apart_and_keep_all_their_digits() {
        assertThat(NumberText.number(999.9)).isEqualTo("1,000");
        assertThat(NumberText.number(12345.6)).isEqualTo("12,346");
    }

    @Test
    void ratios_show_at_most_two_digits_after_the_point() {
        assertThat(NumberText.times(0.5678)).isEqualTo("0.57");
        assertThat(NumberText.times(1.5)).isEqualTo("1.50");
        assertThat(NumberText.times(23.456)).isEqualTo("23.5");
    }
}
