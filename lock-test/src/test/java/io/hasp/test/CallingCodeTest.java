package io.hasp.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.micrometer.Observed;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The place of a request is in the program, and not in a library of Hasp that calls the API for it. */
class CallingCodeTest {
    @Test
    void a_call_through_an_observed_lock_has_the_place_of_its_caller() {
        Optional<StackTraceElement> place = Observed.call(CallingCode::place);
        assertThat(place.orElseThrow().getClassName()).isEqualTo(CallingCodeTest.class.getName());
    }
}
