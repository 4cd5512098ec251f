package io.hasp.conformance.history;

import static io.hasp.conformance.history.HistoryScript.history;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class LinearizableTest {

    private static void sound(String lines, MutexModel... models) {
        for (MutexModel model : models) {
            assertThat(history(lines).check(Checks.linearizable(model))).isInstanceOf(Verdict.Sound.class);
        }
    }

    private static void broken(String lines, MutexModel... models) {
        for (MutexModel model : models) {
            assertThat(history(lines).check(Checks.linearizable(model))).isInstanceOf(Verdict.Broken.class);
        }
    }

    @Test
    void two_holders_are_refuted_and_the_state_is_named() {
        String lines = """
                0  a#1 ACQUIRE
                1  a#1 GRANTED
                2  b#1 ACQUIRE
                3  b#1 GRANTED
                4  a#1 RELEASE
                5  a#1 RELEASED
                """;
        broken(lines, MutexModel.values());
        assertThat(history(lines)
                        .check(Checks.linearizable(MutexModel.OWNER_AWARE))
                        .report())
                .contains("b #1: no order of the calls explains ACQUIRE while the lock is held by a #1");
    }

    @Test
    void only_reentrant_models_let_the_holder_in_again() {
        String lines = """
                0  a#1 ACQUIRE
                1  a#1 GRANTED 7
                2  a#2 ACQUIRE
                3  a#2 GRANTED %d
                4  a#2 RELEASE
                5  a#2 RELEASED
                6  a#1 RELEASE
                7  a#1 RELEASED
                8  b#1 ACQUIRE
                9  b#1 GRANTED 8
                """;
        sound(lines.formatted(7), MutexModel.REENTRANT, MutexModel.FENCED_REENTRANT);
        broken(lines.formatted(7), MutexModel.OWNER_AWARE, MutexModel.FENCED);
        broken(lines.formatted(9), MutexModel.FENCED_REENTRANT);
    }

    @Test
    void a_reentered_lock_is_free_only_after_as_many_releases() {
        broken("""
                0  a#1 ACQUIRE
                1  a#1 GRANTED
                2  a#2 ACQUIRE
                3  a#2 GRANTED
                4  a#2 RELEASE
                5  a#2 RELEASED
                6  b#1 ACQUIRE
                7  b#1 GRANTED
                """, MutexModel.REENTRANT);
    }

    @Test
    void a_release_by_somebody_else_must_be_refused() {
        String lines = """
                0  a#1 ACQUIRE
                1  a#1 GRANTED
                2  b#1 RELEASE
                3  b#1 %s
                4  a#1 RELEASE
                5  a#1 RELEASED
                """;
        sound(lines.formatted("NOT_HELD"), MutexModel.OWNER_AWARE, MutexModel.REENTRANT);
        broken(lines.formatted("RELEASED"), MutexModel.OWNER_AWARE, MutexModel.REENTRANT);
    }

    @Test
    void the_holder_must_not_be_refused_its_release() {
        broken("""
                0  a#1 ACQUIRE
                1  a#1 GRANTED
                2  a#1 RELEASE
                3  a#1 NOT_HELD
                """, MutexModel.values());
    }

    @Test
    void unknown_calls_may_have_happened_or_not_but_only_after_they_began() {
        sound("""
                0  a#1 ACQUIRE
                1  a#1 GRANTED
                2  a#1 RELEASE
                3  a#1 RELEASE_UNKNOWN
                4  b#1 ACQUIRE
                5  b#1 UNKNOWN
                6  c#1 ACQUIRE
                7  c#1 GRANTED
                """, MutexModel.values());
        broken("""
                0  a#1 ACQUIRE
                1  a#1 GRANTED
                2  b#1 ACQUIRE
                3  b#1 GRANTED
                4  a#1 RELEASE
                5  a#1 RELEASE_UNKNOWN
                """, MutexModel.values());
    }

    @Test
    void a_lost_hold_may_end_by_itself_but_not_before_its_deadline() {
        String lines = """
                0   a#1 ACQUIRE
                1   a#1 GRANTED 7
                1   a#1 DEADLINE 50
                2   b#1 ACQUIRE
                %d  b#1 GRANTED 8
                70  a#1 RELEASE
                71  a#1 NOT_HELD
                """;
        sound(lines.formatted(60), MutexModel.values());
        broken(lines.formatted(40), MutexModel.values());
    }

    @Test
    void the_end_of_one_hold_does_not_excuse_the_next_of_the_same_client() {
        broken("""
                0   a#1 ACQUIRE
                1   a#1 GRANTED 7
                1   a#1 DEADLINE 50
                60  a#2 ACQUIRE
                61  a#2 GRANTED 8
                62  b#1 ACQUIRE
                63  b#1 GRANTED 9
                64  a#2 RELEASE
                65  a#2 RELEASED
                """, MutexModel.values());
    }

    @Test
    void thousands_of_calls_by_many_clients_are_decided_in_time() {
        for (long seed = 1; seed <= 5; seed++) {
            List<Event> events = busy(seed, 16, 1_500);
            long start = System.nanoTime();
            assertThat(History.of(events).check(Checks.linearizable(MutexModel.FENCED)))
                    .isInstanceOf(Verdict.Sound.class);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
        }
    }

    @Test
    void one_wrong_answer_among_thousands_is_found() {
        List<Event> events = busy(9, 16, 1_500);
        List<Event> wrong = new ArrayList<>(events);
        Event grant = events.stream()
                .filter(event -> event.kind() == Event.Kind.GRANTED)
                .skip(1_000)
                .findFirst()
                .orElseThrow();
        wrong.set(
                wrong.indexOf(grant),
                new Event(
                        grant.at(),
                        grant.kind(),
                        grant.client(),
                        grant.attempt(),
                        grant.lock(),
                        grant.value() - 2,
                        ""));
        assertThat(History.of(wrong).check(Checks.linearizable(MutexModel.FENCED)))
                .isInstanceOf(Verdict.Broken.class);
        assertThat(History.of(wrong).check(Checks.linearizable(MutexModel.OWNER_AWARE)))
                .isInstanceOf(Verdict.Sound.class);
    }

    /** What a perfect lock gives: everybody asks again at once, the next holder is drawn; replies come a little late. */
    private static List<Event> busy(long seed, int clients, int grants) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Event> events = new ArrayList<>();
        long[] attempt = new long[clients];
        long now = 0;
        for (int c = 0; c < clients; c++) {
            events.add(new Event(now++, Event.Kind.ACQUIRE, "c" + c, ++attempt[c], "L", 0, ""));
        }
        for (int token = 1; token <= grants; token++) {
            int c = random.nextInt(clients);
            now += 10;
            events.add(new Event(now + random.nextInt(5), Event.Kind.GRANTED, "c" + c, attempt[c], "L", token, ""));
            now += 10;
            events.add(new Event(now, Event.Kind.RELEASE, "c" + c, attempt[c], "L", 0, ""));
            // The answer may come after the next grant.
            long late = now + random.nextInt(100, 200);
            events.add(new Event(late, Event.Kind.RELEASED, "c" + c, attempt[c], "L", 0, ""));
            events.add(new Event(late + 1, Event.Kind.ACQUIRE, "c" + c, ++attempt[c], "L", 0, ""));
            now = random.nextInt(4) == 0 ? late + 2 : now;
            if (now < late) {
                now = late + 2;
            }
        }
        return events;
    }
}
