package io.hasp.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Timelines by hand; {@link SessionDeadlineModelTest} generates others. */
class SessionDeadlineTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long TIMEOUT = 12 * SECOND;
    private static final long CLOCK_MARGIN =
            TIMEOUT / 100 + Duration.ofMillis(2).toNanos();

    private final SessionDeadline deadline = createdAt(0);

    private static SessionDeadline createdAt(double second) {
        return new SessionDeadline(Duration.ofNanos(TIMEOUT), OptionalLong.of(at(second)));
    }

    private static long at(double second) {
        return (long) (second * SECOND);
    }

    private static long keptFrom(double second) {
        return at(second) + TIMEOUT - CLOCK_MARGIN;
    }

    private void roundTrip(double sent, double answered) {
        deadline.answered(at(sent), at(answered));
    }

    @Test
    void a_session_of_unknown_age_has_no_deadline_before_its_first_answer() {
        SessionDeadline unknown = new SessionDeadline(Duration.ofNanos(TIMEOUT), OptionalLong.empty());

        assertThat(unknown.deadline(at(5))).isEqualTo(at(5));
    }

    @Test
    void the_first_answer_of_a_session_of_unknown_age_counts_from_the_pings_that_the_leader_must_have_heard_of() {
        SessionDeadline unknown = new SessionDeadline(Duration.ofNanos(TIMEOUT), OptionalLong.empty());

        unknown.answered(at(100), at(100.1));

        assertThat(unknown.deadline(0)).isEqualTo(keptFrom(93));
    }

    @Test
    void pings_are_assumed_for_half_of_the_timeout_and_not_longer() {
        SessionDeadline unknown = new SessionDeadline(Duration.ofNanos(TIMEOUT), OptionalLong.empty());

        unknown.answered(at(100), at(100.1));
        unknown.answered(at(102), at(102.1));
        assertThat(unknown.deadline(0)).isEqualTo(keptFrom(95));

        unknown.answered(at(108), at(108.1));
        assertThat(unknown.deadline(0)).as("after a pause").isEqualTo(keptFrom(95));
        unknown.answered(at(119), at(119.1));
        assertThat(unknown.deadline(0)).isEqualTo(keptFrom(102));
    }

    @Test
    void a_new_session_counts_from_before_its_handle_was_created() {
        assertThat(createdAt(50).deadline(at(51))).isEqualTo(keptFrom(50));
    }

    @Test
    void
            the_first_of_three_counts_if_the_second_was_sent_a_quarter_after_its_answer_and_the_third_after_that_of_the_second() {
        roundTrip(6, 6.5);
        roundTrip(9.5, 9.6);
        assertThat(deadline.deadline(0)).isEqualTo(keptFrom(0));

        roundTrip(9.6, 9.7);

        assertThat(deadline.deadline(0)).isEqualTo(keptFrom(6));
    }

    @Test
    void a_request_just_before_a_heartbeat_does_not_take_its_place() {
        roundTrip(6, 6.1);
        roundTrip(9, 9.05);
        roundTrip(9.1, 9.15);

        roundTrip(9.16, 9.2);

        assertThat(deadline.deadline(0)).isEqualTo(keptFrom(6));
    }

    @Test
    void requests_sent_a_quarter_apart_that_a_stall_delivers_together_prove_nothing() {
        roundTrip(1, 8);
        roundTrip(4, 8);
        roundTrip(7, 8);
        roundTrip(8.1, 8.2);

        assertThat(deadline.deadline(0)).isEqualTo(keptFrom(0));
    }

    @Test
    void two_round_trips_without_a_third_one_sent_after_the_second_answer_prove_nothing() {
        roundTrip(1, 1.1);
        roundTrip(5, 6);
        roundTrip(5.9, 6.1);

        assertThat(deadline.deadline(0)).isEqualTo(keptFrom(0));
    }

    @Test
    void after_a_pause_of_the_process_a_single_answer_counts_for_nothing() {
        roundTrip(1, 1.1);
        roundTrip(4.2, 4.3);
        roundTrip(4.3, 4.4);

        roundTrip(4.4 + 0.8 * 12, 4.5 + 0.8 * 12);

        assertThat(deadline.deadline(0))
                .as("15 s silent for 12 s were believed for 18.1 s")
                .isLessThan(at(4.4) + TIMEOUT);
    }

    @Test
    void a_request_that_was_lost_counts_when_one_that_was_sent_after_the_loss_is_answered() {
        roundTrip(1, 1.1);
        deadline.lost(at(5), at(9));
        deadline.lost(at(8), at(9));
        roundTrip(7, 9.1);
        assertThat(deadline.deadline(0))
                .as("it was sent before the loss was known, and may have been answered before the connection ended")
                .isEqualTo(keptFrom(0));

        roundTrip(9.2, 9.3);

        assertThat(deadline.deadline(0)).isEqualTo(keptFrom(8));
        roundTrip(9.4, 9.5);
        assertThat(deadline.deadline(0)).as("once").isEqualTo(keptFrom(8));
    }

    @Test
    void requests_that_follow_each_other_closely_prove_nothing_about_each_other() {
        roundTrip(1, 1.1);
        for (int i = 0; i < 1_000; i++) {
            roundTrip(1.2 + i / 500.0, 1.201 + i / 500.0);
        }

        assertThat(deadline.deadline(0)).isEqualTo(keptFrom(0));
    }

    @Test
    void with_a_heartbeat_and_a_sync_every_probe_interval_half_the_timeout_is_always_left() {
        long spacing = SessionDeadline.probeInterval(Duration.ofNanos(TIMEOUT)).toNanos();
        for (long beat = 0; beat < 50 * spacing; beat += spacing) {
            deadline.answered(beat, beat);
            deadline.answered(beat, beat);
            assertThat(deadline.deadline(0) - (beat + spacing)).isGreaterThanOrEqualTo(TIMEOUT / 2 - CLOCK_MARGIN);
        }
    }

    @Test
    void a_shorter_timeout_counts_from_the_same_moment_and_tells_that_the_deadline_moved_earlier() {
        assertThat(deadline.deadline(0)).isEqualTo(keptFrom(0));
        assertThat(deadline.deadlineMovedEarlier(at(1))).isFalse();

        deadline.renegotiated(Duration.ofSeconds(4));

        assertThat(deadline.deadline(at(1))).isEqualTo(at(4 - 0.04 - 0.002));
        assertThat(deadline.deadlineMovedEarlier(at(1))).isTrue();
        assertThat(deadline.deadlineMovedEarlier(at(12)))
                .as("what was promised has passed")
                .isFalse();
    }

    @Test
    void a_longer_timeout_changes_nothing() {
        deadline.renegotiated(Duration.ofSeconds(60));

        assertThat(deadline.deadline(0)).isEqualTo(keptFrom(0));
        assertThat(deadline.timeout()).isEqualTo(Duration.ofSeconds(12));
    }
}
