package io.hasp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.000000001S", "PT0.009S", "P366D", "PT9223372036854775807S"})
    void ap3_a_lease_out_of_range_is_refused_with_value_and_rule(String text) {
        Duration lease = Duration.parse(text);
        assertThatThrownBy(() -> LockOptions.defaults().lease(lease))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessage("lease is " + lease + ": it must be from PT0.01S to PT8760H");
        assertThatThrownBy(() -> LockOptions.defaults().maxHold(lease)).isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> ClientOptions.defaults().lease(lease)).isInstanceOf(InvalidArgumentException.class);
    }

    @Test
    void ap3_the_shortest_and_the_longest_lease_are_allowed() {
        assertThat(LockOptions.defaults().lease(Duration.ofMillis(10)).lease()).contains(Duration.ofMillis(10));
        assertThat(LockOptions.defaults().lease(Duration.ofDays(365)).lease()).contains(Duration.ofDays(365));
    }

    @Test
    void ap3_waits_are_zero_or_positive_and_saturate() {
        assertThatThrownBy(() -> Durations.wait(Duration.ofNanos(-1)))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("wait is PT-0.000000001S");
        assertThat(Durations.nanos(Durations.wait(Duration.ZERO))).isZero();
        assertThat(Durations.nanos(Durations.wait(Duration.ofSeconds(Long.MAX_VALUE))))
                .isEqualTo(Durations.FOREVER);
    }

    @Test
    void a_longer_lease_brings_its_patience_along_and_patience_can_be_set_apart() {
        ClientOptions options = ClientOptions.defaults().lease(Duration.ofMinutes(2));
        assertThat(options.unavailableAfter()).hasMinutes(2);
        assertThat(options.unavailableAfter(Duration.ofSeconds(1)).lease()).hasMinutes(2);
        assertThatThrownBy(() -> options.unavailableAfter(Duration.ZERO)).hasMessageContaining("must be positive");
    }

    @Test
    void hand_off_bounds_are_checked() {
        assertThatThrownBy(() -> new HandOff(256, Duration.ofMillis(1))).hasMessageContaining("handOff is 256");
        assertThatThrownBy(() -> new HandOff(1, Duration.ZERO)).hasMessageContaining("handOffWithin");
    }
}
