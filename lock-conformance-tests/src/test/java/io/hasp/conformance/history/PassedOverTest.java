package io.hasp.conformance.history;

import static io.hasp.conformance.history.HistoryScript.history;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PassedOverTest {
    private static final Check CHECK = Checks.noPassingOver(Duration.ofMillis(100));

    private static Verdict judge(String lines) {
        return history(lines).check(CHECK);
    }

    @Test
    void a_waiter_that_sees_a_later_one_get_the_lock_is_found() {
        String lines = """
                0   w#1 ACQUIRE
                %d  b#1 ACQUIRE
                350 b#1 GRANTED
                400 w#1 GRANTED
                """;
        assertThat(judge(lines.formatted(90))).isInstanceOf(Verdict.Sound.class);
        assertThat(judge(lines.formatted(150))).isInstanceOf(Verdict.Broken.class);
        assertThat(judge(lines.formatted(150)).report())
                .contains("w had waited undisturbed for 150.000 ms when b asked, which got it first");
    }

    @Test
    void a_waiter_that_never_gets_it_is_found() {
        assertThat(judge("""
                0   w#1 ACQUIRE
                150 b#1 ACQUIRE
                151 b#1 GRANTED
                """)).isInstanceOf(Verdict.Broken.class);
    }

    @Test
    void a_lock_that_goes_to_one_that_asked_before_passes_over_no_waiter() {
        assertThat(judge("""
                0   b#1 ACQUIRE
                1   w#1 ACQUIRE
                300 b#1 GRANTED
                400 w#1 REFUSED
                500 b#2 ACQUIRE
                501 b#2 GRANTED
                """)).isInstanceOf(Verdict.Sound.class);
    }

    @Test
    void a_fault_and_its_end_start_the_wait_anew() {
        String lines = """
                0   w#1 ACQUIRE
                200 net FAULT
                200 net HEALED
                %d  b#1 ACQUIRE
                400 b#1 GRANTED
                500 w#1 GRANTED
                """;
        assertThat(judge(lines.formatted(290))).isInstanceOf(Verdict.Sound.class);
        assertThat(judge(lines.formatted(310))).isInstanceOf(Verdict.Broken.class);
    }

    @Test
    void a_fault_may_lose_the_place_that_a_waiter_had() {
        assertThat(judge("""
                0   w#1 ACQUIRE
                150 b#1 ACQUIRE
                200 net FAULT
                200 net HEALED
                500 b#1 GRANTED
                600 w#1 GRANTED
                """)).isInstanceOf(Verdict.Sound.class);
    }

    @Test
    void a_busy_machine_moves_the_bound_of_the_time_in_which_it_was_busy() {
        History waited = history("""
                0   w#1 ACQUIRE
                150 b#1 ACQUIRE
                151 b#1 GRANTED
                400 w#1 GRANTED
                """);
        assertThat(waited.check(
                        Checks.noPassingOver(Duration.ofMillis(100), (from, to) -> Duration.ofNanos((to - from) / 2))))
                .isInstanceOf(Verdict.Sound.class);
        assertThat(waited.check(
                        Checks.noPassingOver(Duration.ofMillis(100), (from, to) -> Duration.ofNanos((to - from) / 4))))
                .isInstanceOf(Verdict.Broken.class);
    }

    @Test
    void each_waiter_is_found_once_and_explained() {
        Check explained =
                CHECK.explainedBy((lock, from, to) -> "record of " + lock + " for " + (to - from) / 1_000_000 + " ms");
        List<Verdict> all = history("""
                0   v#1 ACQUIRE
                1   w#1 ACQUIRE
                140 b#1 ACQUIRE
                150 b#1 GRANTED
                151 b#1 RELEASED
                152 b#2 ACQUIRE
                160 b#2 GRANTED
                400 w#1 GRANTED
                """).judge(List.of(explained), 5);
        assertThat(all)
                .extracting(Verdict::report)
                .satisfiesExactly(
                        first -> assertThat(first).contains("v had waited", "record of L for 151 ms"),
                        second -> assertThat(second).contains("w had waited", "record of L for 399 ms"));
    }

    @Test
    void no_more_are_found_than_asked_for() {
        assertThat(history("""
                0   v#1 ACQUIRE
                1   w#1 ACQUIRE
                140 b#1 ACQUIRE
                150 b#1 GRANTED
                """).judge(List.of(CHECK), 1)).hasSize(1);
    }

    @Test
    void waiters_whose_votes_are_divided_may_be_served_in_any_order_but_before_a_later_one() {
        String lines = """
                0   w#1 ACQUIRE
                1   v#1 ACQUIRE
                99  u#1 ACQUIRE
                200 b#1 ACQUIRE
                300 u#1 GRANTED
                310 u#1 RELEASED
                320 v#1 GRANTED
                330 v#1 RELEASED
                340 %s#1 GRANTED
                350 %s#1 GRANTED
                """;
        assertThat(judge(lines.formatted("w", "b"))).isInstanceOf(Verdict.Sound.class);
        assertThat(judge(lines.formatted("b", "w"))).isInstanceOf(Verdict.Broken.class);
    }
}
