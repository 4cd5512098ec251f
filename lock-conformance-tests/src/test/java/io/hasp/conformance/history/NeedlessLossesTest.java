package io.hasp.conformance.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.LockMode;
import io.hasp.conformance.history.Event.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The losses that count as needless. Times are in milliseconds. */
class NeedlessLossesTest {
    private static final Duration DOUBT = Duration.ofMillis(100);
    private static final Duration CLAIM = Duration.ofSeconds(1);
    private final List<Event> events = new ArrayList<>();

    private void at(long millis, Kind kind, long value) {
        events.add(new Event(millis * 1_000_000, kind, "c", 1, "lock", value, ""));
    }

    private void struck(long millis) {
        events.add(new Event(millis * 1_000_000, Kind.FAULT, "cut", 0, "", 0, ""));
    }

    /** Granted at 1000, last believed and found lost some time later. */
    private void lostAfter(long millis) {
        at(1000, Kind.ACQUIRE, LockMode.EXCLUSIVE.number());
        at(1000, Kind.GRANTED, 7);
        at(1000 + millis, Kind.LOST, (1000 + millis) * 1_000_000);
    }

    private Verdict verdict(Optional<Duration> left) {
        return History.of(events).check(Checks.noNeedlessLoss((lock, token, moment) -> left, DOUBT, CLAIM));
    }

    @Test
    void a_loss_is_needless_if_the_server_would_have_kept_the_lease() {
        lostAfter(500);
        assertThat(verdict(Optional.of(Duration.ofMillis(101)))).isInstanceOf(Verdict.Broken.class);
    }

    @Test
    void a_loss_within_the_doubt_is_not() {
        lostAfter(500);
        assertThat(verdict(Optional.of(DOUBT))).isInstanceOf(Verdict.Sound.class);
        assertThat(verdict(Optional.empty())).isInstanceOf(Verdict.Sound.class);
    }

    @Test
    void a_fault_may_have_eaten_the_answer_to_the_first_renewal() {
        lostAfter(500);
        struck(1100);
        assertThat(verdict(Optional.of(Duration.ofSeconds(9)))).isInstanceOf(Verdict.Sound.class);
    }

    @Test
    void a_fault_before_the_grant_or_after_the_loss_has_not() {
        struck(-100);
        lostAfter(500);
        struck(1600);
        assertThat(verdict(Optional.of(Duration.ofSeconds(9)))).isInstanceOf(Verdict.Broken.class);
    }

    @Test
    void what_was_held_for_longer_than_a_claim_had_its_answer() {
        lostAfter(1001);
        struck(1100);
        assertThat(verdict(Optional.of(Duration.ofSeconds(9)))).isInstanceOf(Verdict.Broken.class);
    }

    @Test
    void a_process_that_stood_still_has_lost_what_it_did_not_renew() {
        at(1000, Kind.ACQUIRE, LockMode.EXCLUSIVE.number());
        at(1000, Kind.GRANTED, 7);
        at(9000, Kind.LOST, 8_500_000_000L);
        assertThat(verdict(Optional.of(Duration.ofSeconds(9)))).isInstanceOf(Verdict.Sound.class);
    }

    @Test
    void several_are_found() {
        lostAfter(500);
        events.add(new Event(2_000_000_000, Kind.ACQUIRE, "c", 2, "lock", LockMode.EXCLUSIVE.number(), ""));
        events.add(new Event(2_000_000_000, Kind.GRANTED, "c", 2, "lock", 8, ""));
        events.add(new Event(3_000_000_000L, Kind.LOST, "c", 2, "lock", 3_000_000_000L, ""));
        Check check = Checks.noNeedlessLoss((lock, token, moment) -> Optional.of(Duration.ofSeconds(9)), DOUBT, CLAIM);
        assertThat(History.of(events).judge(List.of(check), 5)).hasSize(2);
    }

    private List<String> report(Optional<Duration> left) {
        return LossReport.of(
                History.of(events),
                new StoredLeases() {
                    @Override
                    public Optional<Duration> left(String lock, long token, long moment) {
                        return left;
                    }

                    @Override
                    public String lastSeen(String lock, long token, long moment) {
                        return "seen with " + token;
                    }
                },
                DOUBT,
                CLAIM);
    }

    @Test
    void each_loss_is_reported_with_its_reason_the_record_and_the_faults() {
        lostAfter(5000);
        struck(3500);
        assertThat(report(Optional.of(Duration.ofMillis(-3))))
                .containsExactly("lost: lock of c with token 7: the server had it no longer; seen with 7; "
                        + "cut since 2.500 s before the loss");
        assertThat(report(Optional.of(DOUBT))).first().asString().contains("within the doubt");
        assertThat(report(Optional.empty())).first().asString().contains("the servers were silent");
        assertThat(report(Optional.of(Duration.ofSeconds(9))))
                .first()
                .asString()
                .contains("needlessly");
    }

    @Test
    void a_fault_that_was_over_before_the_grant_is_named_as_the_latest() {
        lostAfter(5000);
        struck(500);
        events.add(new Event(900_000_000, Kind.HEALED, "cut", 0, "", 0, ""));
        assertThat(report(Optional.of(Duration.ZERO)))
                .first()
                .asString()
                .endsWith(
                        "no fault since the grant, the latest was: cut since 5.500 s before the loss until 5.100 s before the loss");
    }

    private void moment(long millis, String note) {
        events.add(new Event(millis * 1_000_000, Kind.FAULT, "half open", 0, "", 0, note));
        events.add(new Event(millis * 1_000_000, Kind.HEALED, "half open", 0, "", 0, ""));
    }

    @Test
    void a_fault_that_is_recorded_as_moments_lasts_from_its_begin_to_its_end() {
        moment(2000, Event.BEGINS);
        moment(2001, Event.LASTS);
        moment(3000, Event.ENDS);
        moment(5000, Event.BEGINS);
        lostAfter(5000);
        assertThat(report(Optional.of(Duration.ZERO)))
                .first()
                .asString()
                .endsWith("half open since 4.000 s before the loss until 3.000 s before the loss, "
                        + "half open since 1.000 s before the loss");
    }
}
