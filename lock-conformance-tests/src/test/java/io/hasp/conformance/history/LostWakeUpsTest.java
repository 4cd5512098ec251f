package io.hasp.conformance.history;

import static io.hasp.conformance.history.HistoryScript.history;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LostWakeUpsTest {
    private static final Check CHECK = Checks.noLostWakeUp(Duration.ofMillis(100), Duration.ofMillis(500));

    private static final String HELD_AND_WAITED_FOR = """
            0  a#1 ACQUIRE
            1  a#1 GRANTED
            2  b#1 ACQUIRE
            """;

    private static Verdict judge(String lines) {
        return history(lines).check(CHECK);
    }

    private static void sound(String lines) {
        assertThat(judge(lines)).isInstanceOf(Verdict.Sound.class);
    }

    private static void broken(String lines) {
        assertThat(judge(lines)).isInstanceOf(Verdict.Broken.class);
    }

    @Test
    void a_waiter_that_sleeps_past_the_release_is_found() {
        String lines = HELD_AND_WAITED_FOR + """
                10  a#1 RELEASE
                11  a#1 RELEASED
                %d b#1 GRANTED
                """;
        sound(lines.formatted(60));
        broken(lines.formatted(250));
        assertThat(judge(lines.formatted(250)).report())
                .contains("b waited 239.000 ms although nobody held it")
                .contains("a #1             has released");
    }

    @Test
    void a_waiter_that_never_wakes_is_found_at_the_end() {
        broken(HELD_AND_WAITED_FOR + """
                10  a#1 RELEASE
                11  a#1 RELEASED
                400 c#1 ACQUIRE
                """);
    }

    @Test
    void a_waiter_behind_a_lock_that_was_never_taken_is_found() {
        broken("""
                0   a#1 ACQUIRE
                300 a#1 REFUSED
                """);
    }

    @Test
    void waiting_while_somebody_holds_it_is_no_fault() {
        sound(HELD_AND_WAITED_FOR + "900 b#1 REFUSED");
        sound(HELD_AND_WAITED_FOR + """
                10  a#1 RELEASE
                11  c#1 ACQUIRE
                12  a#1 RELEASED
                13  c#1 GRANTED
                800 c#1 RELEASE
                801 c#1 RELEASED
                810 b#1 GRANTED
                """);
    }

    @Test
    void a_killed_or_unknown_holder_may_linger_but_not_for_ever() {
        sound(HELD_AND_WAITED_FOR + """
                10  a DIED
                550 b#1 GRANTED
                """);
        broken(HELD_AND_WAITED_FOR + """
                10  a DIED
                700 b#1 GRANTED
                """);
        sound("""
                0   a#1 ACQUIRE
                2   b#1 ACQUIRE
                10  a#1 UNKNOWN
                550 b#1 GRANTED
                """);
        broken("""
                0   a#1 ACQUIRE
                2   b#1 ACQUIRE
                10  a#1 UNKNOWN
                700 b#1 GRANTED
                """);
        sound(HELD_AND_WAITED_FOR + """
                10  a#1 RELEASE
                20  a#1 RELEASE_UNKNOWN
                550 b#1 GRANTED
                """);
    }

    @Test
    void the_time_of_a_fault_is_not_counted() {
        String lines = HELD_AND_WAITED_FOR + """
                10  a#1 RELEASE
                11  a#1 RELEASED
                12  server FAULT
                %d  server HEALED
                450 b#1 GRANTED
                """;
        sound(lines.formatted(400));
        broken(lines.formatted(300));
    }

    @Test
    void a_waiter_that_was_killed_does_not_wait_any_more() {
        sound(HELD_AND_WAITED_FOR + """
                10  a#1 RELEASE
                11  a#1 RELEASED
                20  b DIED
                900 c#1 ACQUIRE
                """);
    }

    @Test
    void a_refusal_of_what_has_long_been_free_is_found() {
        String lines = HELD_AND_WAITED_FOR + """
                10  a#1 RELEASE
                11  a#1 RELEASED
                12  b#1 REFUSED
                %1$d c#1 ACQUIRE
                %1$d c#1 REFUSED
                """;
        sound(lines.formatted(60));
        broken(lines.formatted(250));
        assertThat(judge(lines.formatted(250)).report())
                .contains("c was refused although nobody had held it for 239.000 ms");
    }

    @Test
    void a_lock_stuck_behind_a_dead_client_is_found_however_short_the_waits() {
        broken(HELD_AND_WAITED_FOR + """
                10  a DIED
                60  b#1 REFUSED
                560 b#2 ACQUIRE
                600 b#2 REFUSED
                640 b#3 ACQUIRE
                680 b#3 REFUSED
                """);
    }

    @Test
    void what_a_client_was_refused_or_released_does_not_linger_when_it_dies() {
        broken("""
                0   a#1 ACQUIRE
                1   a#1 GRANTED
                2   b#1 ACQUIRE
                3   b#1 REFUSED
                10  a#1 RELEASE
                11  a#1 RELEASED
                12  c#1 ACQUIRE
                250 c#1 REFUSED
                260 a DIED
                260 b DIED
                """);
    }
}
