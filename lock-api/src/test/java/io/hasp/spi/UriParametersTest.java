package io.hasp.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UriParametersTest {

    private static UriParameters of(String query) {
        return UriParameters.of(URI.create("x://h?" + query));
    }

    @ParameterizedTest
    @CsvSource({"200us,PT0.0002S", "500ms,PT0.5S", "30s,PT30S", "5m,PT5M", "2h,PT2H", "PT1.5S,PT1.5S"})
    void durations_are_short_or_iso(String text, Duration expected) {
        assertThat(of("d=" + text).duration("d")).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"d=5", "d=-5s", "d=s", "d=9999999999999999999h", "d=five"})
    void anything_else_is_refused_with_its_name_and_value(String query) {
        assertThatThrownBy(() -> of(query).duration("d"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(query);
    }

    @Test
    void numbers_and_flags_say_what_they_take() {
        assertThat(of("n=7&f=true").number("n", 0, 9)).contains(7);
        assertThat(of("n=7&f=true").flag("f")).contains(true);
        assertThatThrownBy(() -> of("n=10").number("n", 0, 9)).hasMessageContaining("from 0 to 9");
        assertThatThrownBy(() -> of("n=x").number("n", 0, 9)).hasMessageContaining("n=x");
        assertThatThrownBy(() -> of("f=yes").flag("f")).hasMessageContaining("neither true nor false");
    }

    @Test
    void unknown_twice_given_and_malformed_parameters_are_named() {
        UriParameters parameters = of("known=1&other=2");
        parameters.text("known");
        assertThatThrownBy(parameters::rejectUnknown)
                .hasMessageContaining("'other'")
                .hasMessageContaining(
                        "known are [connect, keep, known, label, maxHold, onLoss, ordering, renewedLease, unavailableAfter]");
        assertThatThrownBy(of("renewedLease=1s")::rejectUnknown)
                .hasMessageContaining("'renewedLease' is of the client");
        assertThatThrownBy(() -> of("a=1&a=2")).hasMessageContaining("'a' is given twice");
        assertThatThrownBy(() -> of("a")).hasMessageContaining("name=value");
    }

    @Test
    void a_program_with_parameters_of_its_own_names_only_what_it_takes() {
        for (String query : new String[] {"known=1&other=2", "known=1&renewedLease=2s"}) {
            UriParameters parameters = of(query);
            parameters.text("known");

            assertThatThrownBy(() -> parameters.rejectOthers("a test"))
                    .hasMessageContaining("is refused: a test takes [known] and sets the others itself");
        }
    }

    @Test
    void values_are_decoded() {
        assertThat(of("p=%2Fa%26b").text("p")).contains("/a&b");
    }
}
