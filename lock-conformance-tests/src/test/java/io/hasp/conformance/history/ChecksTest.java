package io.hasp.conformance.history;

import static io.hasp.conformance.history.HistoryScript.history;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;

final class ChecksTest {
    private static final Duration BOUND = Duration.ofMillis(100);
    private static final Duration LINGERING = Duration.ofMillis(500);

    /** Two clients, one after the other; b waits for a. */
    private static final String GOOD = """
            0  a/1#1 ACQUIRE
            1  a/1#1 GRANTED 7
            2  b/1#1 ACQUIRE
            5  a/1#1 COUNTED 1
            10 a/1#1 RELEASE
            11 b/1#1 GRANTED 8
            12 a/1#1 RELEASED
            13 b/1#1 COUNTED 2
            20 b/1#1 RELEASE
            21 b/1#1 RELEASED
            30 -     TOTAL 2
            """;

    private static void sound(String lines, Check... checks) {
        assertThat(history(lines).check(checks)).isInstanceOf(Verdict.Sound.class);
    }

    private static AbstractStringAssert<?> broken(String lines, Check check) {
        Verdict verdict = history(lines).check(check);
        assertThat(verdict).isInstanceOf(Verdict.Broken.class);
        return assertThat(verdict.report());
    }

    @Test
    void a_good_history_passes_every_check() {
        History good = history(GOOD);
        assertThat(good.check(Checks.safety())).isInstanceOf(Verdict.Sound.class);
        sound(GOOD, Checks.noOverlap(), Checks.noLostWakeUp(BOUND, LINGERING));
        assertThat(good.check(Checks.safety()).report()).contains("no violation in 2 grants");
    }

    /** Client a holds on after a break with its token, and goes on with another lease under the same grant; b is next. */
    private static final String BROKEN = """
            0   a/1#1 ACQUIRE
            1   a/1#1 GRANTED 512
            2   b/1#1 ACQUIRE
            10  -     BREAKING 512
            12  b/1#1 GRANTED 768
            13  -     BROKEN 512
            50  a/1#1 RELEASE
            51  a/1#1 NOT_HELD
            52  a/2#2 ACQUIRE
            53  a/2#2 GRANTED 513
            80  a/2#2 LOST 70
            90  b/1#1 RELEASE
            91  b/1#1 RELEASED
            """;

    @Test
    void the_former_holder_of_a_broken_lock_may_believe_for_a_while_and_no_longer() {
        assertThat(history(BROKEN).check(Checks.safety())).isInstanceOf(Verdict.Sound.class);
        sound(BROKEN, Checks.brokenHoldsEnd(Duration.ofMillis(57)));
        broken(BROKEN, Checks.brokenHoldsEnd(Duration.ofMillis(56)))
                .contains("a/2 believed for 57.000 ms after its grant was broken");
        String another = BROKEN.replace("BREAKING 512", "BREAKING 256");
        broken(another, Checks.noOverlapOfBeliefs()).contains("held it at once");
        broken(another, Checks.tokensIncrease()).contains("token 513 for a/2 came after token 768 for b/1");
    }

    @Test
    void the_rest_of_a_reduced_hold_is_broken_with_the_whole() {
        String lines = BROKEN.replace("GRANTED 513", "GRANTED 0 512");
        sound(lines, Checks.noOverlapOfBeliefs(), Checks.tokensIncrease(), Checks.tokensUnique());
        broken(lines, Checks.brokenHoldsEnd(Duration.ofMillis(56))).contains("a/2 believed for 57.000 ms");
        broken(BROKEN.replace("GRANTED 513", "GRANTED 0 256"), Checks.noOverlapOfBeliefs())
                .contains("held it at once");
    }

    @Test
    void a_second_holder_is_an_overlap_with_a_readable_timeline() {
        String lines = """
                0  a#1 ACQUIRE
                1  a#1 GRANTED 7
                2  c#1 ACQUIRE
                3  b#1 ACQUIRE
                4  b#1 GRANTED 8
                6  a#1 RELEASE
                9  b#1 RELEASE
                """;
        broken(lines, Checks.noOverlap()).isEqualTo("""
                broken: no two clients hold it at once
                L: a and b held it at once for 2.000 ms
                >        0.000 ms  a #1             asks
                >        1.000 ms  a #1             has it with token 7
                         2.000 ms  c #1             asks
                >        3.000 ms  b #1             asks
                >        4.000 ms  b #1             has it with token 8
                >        6.000 ms  a #1             releases
                >        9.000 ms  b #1             releases
                """);
        assertThatThrownBy(() -> history(lines).check(Checks.noOverlap()).orThrow())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("held it at once");
    }

    @Test
    void a_hold_that_nobody_released_lasts_to_the_end_unless_its_process_died() {
        String lines = """
                0  a/1#1 ACQUIRE
                1  a/1#1 GRANTED
                2  b/1#1 ACQUIRE
                900 b/1#1 GRANTED
                """;
        broken(lines, Checks.noOverlap()).contains("a/1 and b/1 held it at once until the end");
        sound(lines + "500 a DIED", Checks.noOverlap());
        broken(lines + "500 aa DIED", Checks.noOverlap()).contains("until the end");
    }

    @Test
    void an_overlap_hidden_behind_a_short_hold_is_found() {
        broken("""
                0  a#1 ACQUIRE
                1  a#1 GRANTED
                2  a#2 ACQUIRE
                3  a#2 GRANTED
                4  a#2 RELEASE
                5  a#2 RELEASED
                6  b#1 ACQUIRE
                7  b#1 GRANTED
                """, Checks.noOverlap()).contains("a and b");
    }

    @Test
    void a_pause_beyond_the_lease_breaks_the_raw_holds_but_not_the_beliefs() {
        String paused = """
                0   a#1 ACQUIRE
                1   a#1 GRANTED 7
                1   a#1 DEADLINE 50
                60  b#1 ACQUIRE
                61  b#1 GRANTED 8
                70  a#1 RELEASE
                71  a#1 NOT_HELD
                80  b#1 RELEASE
                """;
        broken(paused, Checks.noOverlap())
                .contains("for 9.000 ms")
                .contains("may believe for a known time (until 50.000 ms)");
        sound(paused, Checks.noOverlapOfBeliefs());
    }

    @Test
    void beliefs_last_until_the_loss_is_noticed() {
        String lines = """
                0   a#1 ACQUIRE
                1   a#1 GRANTED 7
                40  b#1 ACQUIRE
                41  b#1 GRANTED 8
                80  b#1 RELEASE
                """;
        sound(lines + "60 a#1 LOST 30", Checks.noOverlapOfBeliefs());
        broken(lines + "60 a#1 LOST 55", Checks.noOverlapOfBeliefs()).contains("for 14.000 ms");
    }

    @Test
    void a_smaller_token_for_a_later_call_is_found() {
        String lines = """
                0  a#1 ACQUIRE
                1  a#1 GRANTED 7
                2  a#1 RELEASE
                3  a#1 RELEASED
                4  b#1 ACQUIRE
                5  b#1 GRANTED 6
                6  b#1 RELEASE
                7  b#1 RELEASED
                """;
        broken(lines, Checks.tokensIncrease()).contains("token 6 for b came after token 7 for a");
        broken(lines, Checks.tokensIncreaseByAnswer()).contains("token 6 for b came after token 7 for a");
        sound(lines, Checks.tokensUnique());
    }

    @Test
    void among_calls_side_by_side_only_the_order_of_believed_answers_counts() {
        String lines = """
                0  a#1 ACQUIRE
                0  b#1 ACQUIRE
                1  a#1 GRANTED 7
                2  a#1 RELEASE
                3  a#1 RELEASED
                5  b#1 GRANTED 6
                """;
        sound(lines, Checks.tokensIncrease());
        broken(lines + "6 b#1 RELEASE", Checks.tokensIncreaseByAnswer()).contains("token 6 for b came after token 7");
        sound(lines + "6 b#1 LOST 5", Checks.tokensIncreaseByAnswer());
    }

    @Test
    void a_token_given_twice_is_found_but_reentry_may_keep_it() {
        String lines = """
                0  a#1 ACQUIRE
                1  a#1 GRANTED 7
                2  %1$s#2 ACQUIRE
                3  %1$s#2 GRANTED 7
                4  %1$s#2 RELEASE
                5  %1$s#2 RELEASED
                6  a#1 RELEASE
                7  a#1 RELEASED
                """;
        sound(lines.formatted("a"), Checks.tokensUnique(), Checks.tokensIncrease(), Checks.tokensIncreaseByAnswer());
        broken(lines.formatted("b"), Checks.tokensUnique()).contains("token 7 was given twice");
        broken(lines.formatted("b"), Checks.tokensIncrease()).contains("came after");
        broken(GOOD + """
                22 a/1#2 ACQUIRE
                23 a/1#2 GRANTED 7
                """, Checks.tokensUnique()).contains("given twice");
    }

    @Test
    void readers_may_have_the_same_token_but_no_writer_and_no_permits() {
        String lines = """
                0  a#1 ACQUIRE %1$s
                1  a#1 GRANTED 7
                2  b#1 ACQUIRE %2$s
                3  b#1 GRANTED 7
                """;
        sound(lines.formatted("reading", "reading"), Checks.tokensUnique(), Checks.tokensIncrease());
        broken(lines.formatted("reading", "writing"), Checks.tokensUnique()).contains("token 7 was given twice");
        broken(lines.formatted("1/3", "1/3"), Checks.tokensUnique()).contains("token 7 was given twice");
    }

    @Test
    void lost_updates_are_found_by_value_and_by_the_final_count() {
        sound(GOOD, Checks.noLostUpdate());
        broken(GOOD.replace("COUNTED 2", "COUNTED 1"), Checks.noLostUpdate()).contains("a/1 and b/1 both counted to 1");
        broken(GOOD.replace("TOTAL 2", "TOTAL 1"), Checks.noLostUpdate())
                .contains("2 increments, but the final count is 1");
    }
}
