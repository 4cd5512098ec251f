package io.hasp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.engine.threads.Nanos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
    private static final Executor THREADS = Runnable::run;

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.000000001S", "PT0.009S", "P366D", "PT9223372036854775807S"})
    void ap3_a_lease_out_of_range_is_refused_with_value_and_rule(String text) {
        Duration lease = Duration.parse(text);
        String rule = " is " + lease + ": it must be from PT0.01S to PT8760H";
        LockOptions lock = LockOptions.defaults();
        ClientOptions client = ClientOptions.defaults();
        assertThatThrownBy(() -> lock.fixedLease(lease))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessage("fixedLease" + rule);
        assertThatThrownBy(() -> lock.renewedLease(lease))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessage("renewedLease" + rule);
        assertThatThrownBy(() -> lock.maxHold(lease)).hasMessage("maxHold" + rule);
        assertThatThrownBy(() -> client.renewedLease(lease)).hasMessage("renewedLease" + rule);
        assertThatThrownBy(() -> client.maxHold(lease)).hasMessage("maxHold" + rule);
    }

    @Test
    void ap3_the_shortest_and_the_longest_lease_are_allowed() {
        for (Duration lease : List.of(Duration.ofMillis(10), Duration.ofDays(365))) {
            assertThat(LockOptions.defaults().fixedLease(lease).fixedLease()).contains(lease);
            assertThat(LockOptions.defaults().renewedLease(lease).renewedLease())
                    .contains(lease);
            assertThat(ClientOptions.defaults().renewedLease(lease).renewedLease())
                    .isEqualTo(lease);
        }
    }

    @Test
    void a_renewed_and_a_fixed_lease_replace_each_other() {
        LockOptions renewed = LockOptions.defaults().fixedLease(SECOND).renewedLease(MINUTE);
        assertThat(renewed.fixedLease()).isEmpty();
        assertThat(renewed).isEqualTo(LockOptions.defaults().renewedLease(MINUTE));
        LockOptions fixed = renewed.fixedLease(SECOND);
        assertThat(fixed.renewedLease()).isEmpty();
        assertThat(fixed).isEqualTo(LockOptions.defaults().fixedLease(SECOND));
    }

    @Test
    void options_of_a_lock_are_equal_in_whatever_order_they_were_given() {
        LockOptions options = LockOptions.defaults().fixedLease(SECOND).maxHold(MINUTE);
        assertThat(LockOptions.defaults().maxHold(MINUTE).fixedLease(SECOND))
                .isEqualTo(options)
                .hasSameHashCodeAs(options)
                .hasToString("a fixed lease of PT1S, max hold PT1M");
        assertThat(List.of(
                        LockOptions.defaults(),
                        LockOptions.defaults().maxHold(MINUTE),
                        LockOptions.defaults().fixedLease(SECOND),
                        LockOptions.defaults().renewedLease(SECOND)))
                .doesNotContain(options)
                .doesNotHaveDuplicates();
    }

    @Test
    void ap3_a_label_is_short_visible_text_and_anything_else_is_refused_with_the_rule() {
        ClientOptions options = ClientOptions.defaults();
        assertThat(options.label())
                .as("host and process")
                .endsWith(":" + ProcessHandle.current().pid());
        for (String label : List.of("a", "orders 7f9c/é😀", "x".repeat(128))) {
            assertThat(options.label(label).label()).isEqualTo(label);
            assertThat(ElectionOptions.defaults().label(label).label()).contains(label);
        }
        assertThat(options.label("a"))
                .isEqualTo(ClientOptions.defaults().label("a"))
                .isNotEqualTo(options);
        assertThat(options.label("orders-7").toString()).contains("label orders-7");
        List<List<String>> refused = List.of(
                List.of("", " is blank"),
                List.of(" \t", " is blank"),
                List.of("x".repeat(129), " has 129 characters: at most 128 are allowed"),
                List.of("a\nb", "'a?b' contains a control character or a lone surrogate"),
                List.of("a\u001b[31m", "contains a control character"),
                List.of("a\ud800", "contains a control character or a lone surrogate"));
        for (List<String> each : refused) {
            assertThatThrownBy(() -> options.label(each.get(0)))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageStartingWith("the label of a client")
                    .hasMessageContaining(each.get(1));
            assertThatThrownBy(() -> ElectionOptions.defaults().label(each.get(0)))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageStartingWith("the label of a candidate")
                    .hasMessageContaining(each.get(1));
        }
        assertThat(Labels.checked("the label of this process", HostAndProcess.label()))
                .contains(":");
    }

    @Test
    void ap3_waits_are_zero_or_positive_and_saturate() {
        assertThatThrownBy(() -> Durations.wait(Duration.ofNanos(-1)))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("wait is PT-0.000000001S");
        assertThat(Nanos.of(Durations.wait(Duration.ZERO))).isZero();
        assertThat(Nanos.of(Durations.wait(Duration.ofSeconds(Long.MAX_VALUE)))).isEqualTo(Nanos.FOREVER);
    }

    @Test
    void unavailable_after_follows_the_renewed_lease_unless_it_is_set() {
        ClientOptions options = ClientOptions.defaults().renewedLease(MINUTE);
        assertThat(options.unavailableAfter()).isEqualTo(MINUTE);
        assertThat(options.renewedLease(SECOND).unavailableAfter()).isEqualTo(SECOND);
        assertThat(options.unavailableAfter(SECOND).renewedLease()).isEqualTo(MINUTE);
        assertThatThrownBy(() -> options.unavailableAfter(Duration.ZERO)).hasMessageContaining("must be positive");
    }

    @Test
    void the_order_in_which_the_options_of_a_client_are_given_does_not_matter() {
        List<UnaryOperator<ClientOptions>> calls = List.of(
                options -> options.renewedLease(MINUTE),
                options -> options.unavailableAfter(SECOND),
                options -> options.maxHold(MINUTE),
                options -> options.handOff(false),
                options -> options.ordering(Ordering.FIFO),
                options -> options.executor(THREADS));
        ClientOptions expected = ClientOptions.defaults();
        for (UnaryOperator<ClientOptions> call : calls) {
            expected = call.apply(expected);
        }
        assertThat(expected.unavailableAfter()).isEqualTo(SECOND);
        for (int seed = 0; seed < 50; seed++) {
            List<UnaryOperator<ClientOptions>> shuffled = new ArrayList<>(calls);
            Collections.shuffle(shuffled, new Random(seed));
            ClientOptions options = ClientOptions.defaults();
            for (UnaryOperator<ClientOptions> call : shuffled) {
                options = call.apply(options);
            }
            assertThat(options).as("seed %s", seed).isEqualTo(expected).hasSameHashCodeAs(expected);
        }
    }

    @Test
    void options_that_are_null_are_refused_by_name() {
        ClientOptions options = ClientOptions.defaults();
        assertThatThrownBy(() -> options.ordering(none())).hasMessage("ordering is null");
        assertThatThrownBy(() -> options.addListener(none())).hasMessage("listener is null");
        assertThatThrownBy(() -> options.timing(none())).hasMessage("timing is null");
        assertThatThrownBy(() -> options.executor(none())).hasMessage("executor is null");
        assertThatThrownBy(() -> options.renewedLease(none())).hasMessageContaining("renewedLease is null");
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // what a caller without NullAway can do
    private static <T> T none() {
        return null;
    }
}
