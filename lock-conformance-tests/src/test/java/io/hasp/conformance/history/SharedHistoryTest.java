package io.hasp.conformance.history;

import static io.hasp.conformance.history.HistoryScript.history;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The checks of locks that are shared: by weights, and by the order of grants that exclude each other. */
final class SharedHistoryTest {
    private static final Check AWAKE = Checks.noLostWakeUp(Duration.ofMillis(100), Duration.ofMillis(500));
    private static final String TWO_READ = """
            0  a#1 ACQUIRE reading
            1  a#1 GRANTED 7
            2  b#1 ACQUIRE reading
            3  b#1 GRANTED 8
            """;

    private static void sound(Check check, String lines) {
        assertThat(history(lines).check(check)).isInstanceOf(Verdict.Sound.class);
    }

    private static void broken(Check check, String lines, String words) {
        assertThat(history(lines).check(check).report()).contains(words);
    }

    @Test
    void readers_may_hold_it_together_and_no_writer_beside_them() {
        sound(Checks.noOverlap(), TWO_READ);
        broken(Checks.noOverlap(), TWO_READ + """
                4  c#1 ACQUIRE writing
                5  c#1 GRANTED 9
                """, "a (reading), b (reading) and c (writing) held it at once");
        sound(Checks.noOverlap(), TWO_READ + """
                4  c#1 ACQUIRE writing
                5  a#1 RELEASE
                6  b#1 RELEASE
                7  c#1 GRANTED 9
                """);
    }

    @Test
    void permits_are_counted_also_those_of_one_client() {
        String three = """
                0  a#1 ACQUIRE 2/3
                1  a#1 GRANTED
                2  a#2 ACQUIRE 1/3
                3  a#2 GRANTED
                """;
        sound(Checks.noOverlap(), three);
        broken(
                Checks.noOverlap(),
                three + """
                4  a#3 ACQUIRE 1/3
                5  a#3 GRANTED
                """,
                "a (2 of 3 permits), a (1 of 3 permits) and a (1 of 3 permits) held it at once");
    }

    @Test
    void two_kinds_at_once_are_a_conflict() {
        broken(Checks.noOverlap(), """
                0  a#1 ACQUIRE 1/3
                1  a#1 GRANTED
                2  b#1 ACQUIRE 1/4
                3  b#1 GRANTED
                """, "held it at once");
    }

    @Test
    void tokens_have_an_order_among_grants_that_exclude_each_other_only() {
        for (Check check : new Check[] {Checks.tokensIncrease(), Checks.tokensIncreaseByAnswer()}) {
            sound(check, TWO_READ.replace("GRANTED 8", "GRANTED 6"));
            broken(check, TWO_READ + """
                    4  a#1 RELEASE
                    5  b#1 RELEASE
                    6  c#1 ACQUIRE writing
                    7  c#1 GRANTED 8
                    """, "token 8 for c came after token 8 for b");
            broken(check, """
                    0  c#1 ACQUIRE writing
                    1  c#1 GRANTED 8
                    2  c#1 RELEASE
                    3  a#1 ACQUIRE reading
                    4  a#1 GRANTED 9
                    5  b#1 ACQUIRE reading
                    6  b#1 GRANTED 5
                    """, "token 5 for b came after token 8 for c");
        }
    }

    @Test
    void a_reader_that_waits_beside_readers_is_found() {
        String lines = TWO_READ + """
                10  c#1 ACQUIRE reading
                %d  c#1 GRANTED
                """;
        sound(AWAKE, lines.formatted(60));
        broken(AWAKE, lines.formatted(250), "c waited 240.000 ms although there was room for it");
    }

    @Test
    void a_reader_may_wait_while_a_writer_does_that_does_not_fit() {
        sound(AWAKE, TWO_READ + """
                9   d#1 ACQUIRE writing
                10  c#1 ACQUIRE reading
                800 c#1 REFUSED
                """);
    }

    @Test
    void a_writer_that_sleeps_past_the_release_of_the_last_reader_is_found() {
        String lines = TWO_READ + """
                9   d#1 ACQUIRE writing
                10  c#1 ACQUIRE reading
                20  a#1 RELEASE
                21  a#1 RELEASED
                400 b#1 RELEASE
                401 b#1 RELEASED
                %d  d#1 GRANTED
                """;
        sound(AWAKE, lines.formatted(450));
        broken(AWAKE, lines.formatted(600), "d waited 199.000 ms although there was room for it");
    }

    @Test
    void a_small_request_that_is_refused_what_was_long_there_is_found() {
        broken(AWAKE, """
                0   a#1 ACQUIRE 2/3
                1   a#1 GRANTED
                300 b#1 ACQUIRE 1/3
                301 b#1 REFUSED
                """, "b was refused although there had been room for it for 300.000 ms");
        sound(AWAKE, """
                0   a#1 ACQUIRE 2/3
                1   a#1 GRANTED
                300 b#1 ACQUIRE 2/3
                301 b#1 REFUSED
                """);
    }

    @Test
    void what_is_left_of_a_hold_is_recorded_as_a_hold_of_its_own() throws Exception {
        HistoryLog log = HistoryLog.inMemory();
        try (RecordedUser user = new RecordedUser(new Toy(), log, "p")) {
            Hold five =
                    user.tryAcquire("L", LockMode.permits(5, 6), Duration.ZERO).orElseThrow();
            Hold one = five.giveBack(4);
            assertThat(user.tryAcquire("L", LockMode.permits(5, 6), Duration.ZERO))
                    .isPresent();
            assertThat(log.history().check(Checks.noOverlap())).isInstanceOf(Verdict.Sound.class);
            assertThat(user.tryAcquire("L", LockMode.permits(1, 6), Duration.ZERO))
                    .isPresent();
            assertThat(log.history().check(Checks.noOverlap()).report()).contains("1 of 6 permits");
            one.release();
        }
    }

    /** Grants everything. */
    private static final class Toy implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) {
            return Optional.of(new All());
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) {
            return Optional.of(new All());
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private record All() implements Hold {
        @Override
        public boolean release() {
            return true;
        }

        @Override
        public Hold giveBack(int count) {
            return new All();
        }
    }
}
