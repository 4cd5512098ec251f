package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ConfirmationsTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long TIMEOUT = 12 * SECOND;
    /** What the clocks may drift apart. */
    private static final long DRIFT = TIMEOUT / 100 + Duration.ofMillis(2).toNanos();

    private final Confirmations confirmations = new Confirmations(Duration.ofNanos(TIMEOUT));

    @Test
    void nothing_is_certain_before_the_first_answer() {
        assertThat(confirmations.deadline(5 * SECOND)).isEqualTo(5 * SECOND);
    }

    @Test
    void a_single_answer_counts_from_what_the_leader_must_have_heard_before() {
        confirmations.acknowledged(100 * SECOND);

        assertThat(confirmations.deadline(0)).isEqualTo(100 * SECOND - 7 * SECOND + TIMEOUT - DRIFT);
    }

    @Test
    void the_last_but_one_counts_and_not_the_last() {
        confirmations.acknowledged(100 * SECOND);
        confirmations.acknowledged(103 * SECOND);

        assertThat(confirmations.deadline(0)).isEqualTo(100 * SECOND + TIMEOUT - DRIFT);
    }

    @Test
    void requests_that_follow_each_other_closely_prove_nothing_about_each_other() {
        confirmations.acknowledged(100 * SECOND);
        for (int i = 0; i < 1_000; i++) {
            confirmations.acknowledged(102 * SECOND + i);
        }

        assertThat(confirmations.deadline(0)).isLessThan(100 * SECOND + TIMEOUT - DRIFT);
    }

    @Test
    void after_a_long_silence_the_old_answers_do_not_pull_the_deadline_back() {
        confirmations.acknowledged(100 * SECOND);
        confirmations.acknowledged(103 * SECOND);
        confirmations.acknowledged(1_000 * SECOND);

        assertThat(confirmations.deadline(0)).isEqualTo(1_000 * SECOND - 7 * SECOND + TIMEOUT - DRIFT);
    }

    @Test
    void with_a_heartbeat_every_spacing_half_the_timeout_is_always_left() {
        long spacing = Confirmations.spacing(Duration.ofNanos(TIMEOUT)).toNanos();
        for (long beat = 0; beat < 50; beat++) {
            confirmations.acknowledged(beat * spacing);
            if (beat > 0) {
                assertThat(confirmations.deadline(0) - (beat + 1) * spacing)
                        .isGreaterThanOrEqualTo(TIMEOUT / 2 - DRIFT);
            }
        }
    }

    @Test
    void whatever_comes_the_counted_answer_has_a_later_one_behind_it_and_the_deadline_never_moves_back() {
        Random random = new Random(3);
        long now = 0;
        long deadline = Long.MIN_VALUE;
        for (int i = 0; i < 100_000; i++) {
            now += (long) (random.nextDouble() * random.nextDouble() * TIMEOUT / 3);
            confirmations.acknowledged(now);
            long next = confirmations.deadline(0);
            assertThat(next).isGreaterThanOrEqualTo(deadline).isLessThanOrEqualTo(now - TIMEOUT / 4 + TIMEOUT - DRIFT);
            deadline = next;
        }
    }
}
