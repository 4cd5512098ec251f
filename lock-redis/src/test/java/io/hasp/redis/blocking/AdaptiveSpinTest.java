package io.hasp.redis.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The spin before a sleep: when it looks for a reply, and when it is skipped. */
class AdaptiveSpinTest {
    private static final Duration MOMENT = Duration.ofNanos(100_000);
    private int looks;

    private boolean never() {
        looks++;
        return false;
    }

    /** True if it looked at least once. */
    private boolean looksInVain(AdaptiveSpin spin) {
        looks = 0;
        assertThat(spin.finds(this::never)).isFalse();
        return looks > 0;
    }

    @Test
    void it_looks_until_the_answer_is_there_and_not_once_more() {
        AdaptiveSpin spin = new AdaptiveSpin(Duration.ofSeconds(10));
        assertThat(spin.finds(() -> ++looks == 5)).isTrue();
        assertThat(looks).isEqualTo(5);
    }

    @Test
    void it_gives_up_after_its_moment() {
        long start = System.nanoTime();
        assertThat(looksInVain(new AdaptiveSpin(MOMENT))).isTrue();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(MOMENT.toNanos());
    }

    @Test
    void a_moment_of_zero_is_never_looked() {
        assertThat(looksInVain(new AdaptiveSpin(Duration.ZERO))).isFalse();
    }

    @Test
    void after_three_spins_in_vain_one_is_skipped_then_two_then_four() {
        AdaptiveSpin spin = new AdaptiveSpin(MOMENT);
        StringBuilder looked = new StringBuilder();
        for (int i = 0; i < 13; i++) {
            looked.append(looksInVain(spin) ? 'x' : '-');
        }
        assertThat(looked).hasToString("xxx-x--x----x");
    }

    @Test
    void an_answer_that_was_found_begins_anew() {
        AdaptiveSpin spin = new AdaptiveSpin(MOMENT);
        for (int i = 0; i < 4; i++) {
            looksInVain(spin);
        }
        assertThat(spin.finds(() -> true)).isTrue();
        for (int i = 0; i < 3; i++) {
            assertThat(looksInVain(spin)).isTrue();
        }
        assertThat(looksInVain(spin)).isFalse();
    }
}
