package io.hasp.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.engine.machine.Contender;
import io.hasp.engine.machine.Effect;
import io.hasp.engine.machine.Event;
import io.hasp.engine.machine.LockMachine;
import io.hasp.engine.machine.NameAndCapacity;
import io.hasp.engine.machine.Outcome;
import io.hasp.engine.machine.PendingRelease;
import io.hasp.engine.machine.Transition;
import io.hasp.engine.threads.Nanos;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Single steps of the machine of a lock whose grants are kept. */
class KeptGrantMachineTest {
    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final LockName NAME = new LockName("a");
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final LeaseTerms TERMS = LeaseTerms.of(LEASE, Optional.empty(), Optional.empty());
    private static final LeaseTerms FIXED = LeaseTerms.of(LEASE, Optional.of(LEASE), Optional.empty());
    private static final RequestExecutor NOWHERE = request -> {};

    private final AtomicInteger holders = new AtomicInteger();
    private final Set<Transition> taken = EnumSet.noneOf(Transition.class);
    private long clockDifference = 7;
    private final Keeping keeping = new Keeping(() -> clockDifference);
    private final LockMachine machine = new LockMachine(
            NameAndCapacity.exclusive(NAME),
            new EngineSettings(10 * SECOND, 10 * SECOND, 255, SECOND, true, false, 2 * SECOND, 16),
            () -> new HolderId("h" + holders.incrementAndGet()),
            taken::add,
            keeping);
    private long now = SECOND;
    private long tokens;

    private List<Effect> on(Event event) {
        List<Effect> effects = new ArrayList<>();
        machine.on(event, now, effects);
        return effects;
    }

    private Contender contender(LeaseTerms terms, long wait) {
        return machine.contender(terms, NOWHERE, wait, now);
    }

    private static <E extends Effect> List<E> only(Class<E> type, List<Effect> effects) {
        return effects.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static List<Outcome> outcomes(List<Effect> effects) {
        return only(Effect.Complete.class, effects).stream()
                .map(Effect.Complete::outcome)
                .toList();
    }

    private HeldLease present() {
        return Objects.requireNonNull(machine.holder());
    }

    /** A lease that the server granted. */
    private HeldLease granted(boolean recallable) {
        Contender first = contender(TERMS, Nanos.FOREVER);
        List<Effect> effects = on(new Event.Joined(first));
        Claim asked = only(Effect.Acquire.class, effects).get(0).claim();
        on(new Event.Answered(
                first,
                first.request(),
                now,
                new Attempt.Granted(Grant.of(asked, ++tokens, LEASE), recallable && asked.keeps()),
                null));
        return present();
    }

    private List<Effect> released(HeldLease lease) {
        return on(new Event.GivenBack(lease, new ReleaseCall(NOWHERE)));
    }

    /** A grant that is kept, after its only lease. */
    private HeldLease kept() {
        HeldLease lease = granted(true);
        List<Effect> effects = released(lease);
        assertThat(taken).contains(Transition.KEPT);
        assertThat(only(Effect.Release.class, effects)).isEmpty();
        assertThat(only(Effect.CompleteRelease.class, effects))
                .singleElement()
                .satisfies(done -> assertThat(done.found()).isEqualTo(ReleaseCall.Found.RELEASED));
        assertThat(machine.holder()).isNull();
        assertThat(machine.idle()).isFalse();
        return lease;
    }

    private List<Effect> signalled(HeldLease lease, Signal signal) {
        Contender past = contender(TERMS, 0);
        past.finish();
        return on(new Event.Signalled(past, lease.grant.claim().holder(), signal));
    }

    private static void givesBack(HeldLease lease, List<Effect> effects) {
        assertThat(only(Effect.Withdraw.class, effects))
                .singleElement()
                .satisfies(withdrawal -> assertThat(withdrawal.release().claim.holder())
                        .isEqualTo(lease.grant.claim().holder()));
    }

    @Test
    void the_next_lease_begins_on_what_is_kept_with_the_next_token_and_the_same_deadline() {
        HeldLease first = kept();
        now += SECOND;
        List<Effect> effects = on(new Event.Joined(contender(TERMS, Nanos.FOREVER)));
        assertThat(outcomes(effects)).hasOnlyElementsOfType(Outcome.Acquired.class);
        assertThat(effects).doesNotHaveAnyElementsOfTypes(Effect.Acquire.class, Effect.Transfer.class);
        assertThat(present().token()).isEqualTo(first.token() + 1);
        assertThat(present().life().deadline()).isEqualTo(first.life().deadline());
        assertThat(taken).contains(Transition.REUSED);
    }

    @Test
    void a_try_takes_what_is_kept_too() {
        kept();
        assertThat(outcomes(on(new Event.Joined(contender(TERMS, 0))))).hasOnlyElementsOfType(Outcome.Acquired.class);
    }

    /** Returns the grant that is kept after another lease, by the alarm that is set for it. */
    private KeptGrant keptAgain() {
        kept();
        on(new Event.Joined(contender(TERMS, Nanos.FOREVER)));
        return only(Effect.Wake.class, released(present())).stream()
                .map(Effect.Wake::subject)
                .filter(KeptGrant.class::isInstance)
                .map(KeptGrant.class::cast)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void what_is_kept_goes_back_when_its_time_is_over_or_nearly_and_not_before() {
        KeptGrant kept = keptAgain();
        now += 2 * SECOND - SECOND / 8 - 1;
        assertThat(on(new Event.TimePassed(kept))).isEmpty();
        now++;
        givesBack(kept.last, on(new Event.TimePassed(kept)));
        assertThat(on(new Event.TimePassed(kept))).isEmpty();
    }

    @Test
    void what_nobody_could_watch_goes_back() {
        KeptGrant kept = keptAgain();
        givesBack(kept.last, on(new Event.Unwatched(kept)));
        assertThat(on(new Event.Unwatched(kept))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Signal.class,
            names = {"WANTED", "SUSPECT", "RESTORED", "LOST"})
    void what_is_kept_goes_back_at(Signal signal) {
        HeldLease lease = kept();
        givesBack(lease, signalled(lease, signal));
        List<Effect> effects = on(new Event.Joined(contender(TERMS, Nanos.FOREVER)));
        assertThat(effects).hasAtLeastOneElementOfType(Effect.Acquire.class);
    }

    @Test
    void a_grant_in_use_that_is_wanted_is_renewed_once_without_keeping_and_never_kept() {
        HeldLease lease = granted(true);
        assertThat(only(Effect.Renew.class, signalled(lease, Signal.WANTED)))
                .singleElement()
                .satisfies(renewal ->
                        assertThat(renewal.lease().renewed(now).claim().keeps()).isFalse());
        assertThat(only(Effect.Renew.class, signalled(lease, Signal.WANTED))).isEmpty();
        on(new Event.Renewed(lease, now, new Renewal.Renewed(LEASE)));
        assertThat(only(Effect.Release.class, released(lease))).hasSize(1);
        assertThat(taken).contains(Transition.RECALLED_IN_USE).doesNotContain(Transition.KEPT);
    }

    @Test
    void the_next_holders_of_a_grant_that_is_wanted_know_that() {
        HeldLease lease = granted(true);
        on(new Event.Joined(contender(TERMS, Nanos.FOREVER)));
        signalled(lease, Signal.WANTED);
        on(new Event.Renewed(lease, now, new Renewal.Renewed(LEASE)));
        released(lease);
        assertThat(taken).contains(Transition.HANDED_OFF);
        assertThat(only(Effect.Release.class, released(present()))).hasSize(1);
    }

    @Test
    void a_renewal_that_was_under_way_does_not_tell_that_a_grant_is_wanted() {
        HeldLease lease = granted(true);
        now += 5 * SECOND;
        assertThat(only(Effect.Renew.class, on(new Event.TimePassed(lease)))).hasSize(1);
        assertThat(lease.renewed(now).claim().keeps()).isTrue();
        assertThat(only(Effect.Renew.class, signalled(lease, Signal.WANTED))).isEmpty();
        on(new Event.Renewed(lease, now, new Renewal.Renewed(LEASE)));
        assertThat(only(Effect.Renew.class, on(new Event.TimePassed(lease)))).hasSize(1);
        on(new Event.Renewed(lease, now, new Renewal.Renewed(LEASE)));
        assertThat(only(Effect.Renew.class, on(new Event.TimePassed(lease)))).isEmpty();
    }

    /** Also by one whose end no renewal can move, if the holder before it had no time for that. */
    @Test
    void the_next_holder_tells_that_a_grant_is_wanted() {
        HeldLease lease = granted(true);
        signalled(lease, Signal.RESTORED);
        on(new Event.TimePassed(lease));
        LeaseTerms brief = LeaseTerms.of(LEASE, Optional.empty(), Optional.of(Duration.ofSeconds(4)));
        on(new Event.Joined(contender(brief, Nanos.FOREVER)));
        signalled(lease, Signal.WANTED);
        on(new Event.Renewed(lease, now, new Renewal.Renewed(LEASE)));
        released(lease);
        assertThat(taken).contains(Transition.HANDED_OFF);
        HeldLease next = present();
        assertThat(on(new Event.TimePassed(next))).contains(new Effect.Renew(next));
        assertThat(next.renewed(now).claim().keeps()).isFalse();
    }

    @Test
    void a_recall_before_the_grant_is_known_counts() {
        Contender first = contender(TERMS, Nanos.FOREVER);
        on(new Event.Joined(first));
        on(new Event.Signalled(first, first.claim().holder(), Signal.WANTED));
        List<Effect> effects = on(new Event.Answered(
                first, first.request(), now, new Attempt.Granted(Grant.of(first.claim(), 1, LEASE), true), null));
        assertThat(only(Effect.Renew.class, effects)).hasSize(1);
        on(new Event.Renewed(present(), now, new Renewal.Renewed(LEASE)));
        assertThat(only(Effect.Release.class, released(present()))).hasSize(1);
    }

    @Test
    void a_grant_that_can_t_be_recalled_is_not_kept() {
        assertThat(only(Effect.Release.class, released(granted(false)))).hasSize(1);
    }

    @Test
    void a_grant_whose_renewal_is_unanswered_or_that_is_in_doubt_is_not_kept() {
        HeldLease renewing = granted(true);
        now += 5 * SECOND;
        on(new Event.TimePassed(renewing));
        assertThat(only(Effect.Release.class, released(renewing))).hasSize(1);
        on(new Event.ReleaseAnswered(renewing, Released.RELEASED, null));
        HeldLease doubted = granted(true);
        signalled(doubted, Signal.SUSPECT);
        assertThat(only(Effect.Release.class, released(doubted))).hasSize(1);
    }

    @Test
    void a_recall_of_a_holder_that_is_nobody_s_releases_it_once() {
        Contender past = contender(TERMS, 0);
        on(new Event.Joined(past));
        on(new Event.Answered(past, past.request(), now, new Attempt.Busy(Duration.ofSeconds(1)), null));
        List<Effect> effects = on(new Event.Signalled(past, past.claim().holder(), Signal.WANTED));
        PendingRelease release = only(Effect.Withdraw.class, effects).get(0).release();
        assertThat(release.claim.holder()).isEqualTo(past.claim().holder());
        BackendFailure failure =
                new BackendFailure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "no answer", null);
        assertThat(on(new Event.PendingReleaseAnswered(release, failure))).isEmpty();
        assertThat(machine.idle()).isTrue();
    }

    /** An answer is delivered again if memory runs out after its event was applied. */
    @Test
    void a_grant_that_is_told_again_while_it_is_kept_is_not_withdrawn() {
        Contender first = contender(TERMS, Nanos.FOREVER);
        on(new Event.Joined(first));
        Attempt granted = new Attempt.Granted(Grant.of(first.claim(), 1, LEASE), true);
        on(new Event.Answered(first, first.request(), now, granted, null));
        released(present());
        assertThat(on(new Event.Answered(first, first.request(), now, granted, null)))
                .isEmpty();
        assertThat(outcomes(on(new Event.Joined(contender(TERMS, 0))))).hasOnlyElementsOfType(Outcome.Acquired.class);
    }

    private HeldLease restamped(Contender contender) {
        List<Effect> effects = on(new Event.Joined(contender));
        assertThat(taken).contains(Transition.RESTAMPED).doesNotContain(Transition.REUSED);
        Effect.Transfer transfer = only(Effect.Transfer.class, effects).get(0);
        assertThat(transfer.contender()).isSameAs(contender);
        return transfer.from();
    }

    @Test
    void who_asks_for_a_fixed_lease_gives_back_what_is_kept_and_asks_in_one_flight() {
        HeldLease lease = kept();
        Contender fixed = contender(FIXED, 0);
        assertThat(restamped(fixed)).isSameAs(lease);
        assertThat(fixed.claim().keeps()).isFalse();
        on(new Event.ReleaseAnswered(lease, Released.RELEASED, null));
        on(new Event.Answered(
                fixed, fixed.request(), now, new Attempt.Granted(Grant.of(fixed.claim(), 9, LEASE)), null));
        assertThat(only(Effect.Release.class, released(present()))).hasSize(1);
    }

    @Test
    void what_was_kept_and_is_found_to_be_gone_was_nobody_s_loss() {
        HeldLease lease = kept();
        restamped(contender(FIXED, Nanos.FOREVER));
        List<Effect> effects = on(new Event.ReleaseAnswered(lease, Released.NOT_HELD, null));
        assertThat(only(Effect.Report.class, effects)).isEmpty();
        assertThat(lease.loss()).isNull();
    }

    @Test
    void what_is_near_its_deadline_is_not_used_again() {
        HeldLease lease = granted(true);
        now += 6 * SECOND;
        on(new Event.Renewed(lease, now - 4 * SECOND, new Renewal.Renewed(LEASE)));
        released(lease);
        now += 3 * SECOND;
        restamped(contender(TERMS, Nanos.FOREVER));
    }

    @Test
    void after_a_suspension_what_is_kept_is_not_used_again() {
        kept();
        clockDifference += SECOND + 1;
        restamped(contender(TERMS, Nanos.FOREVER));
    }

    @Test
    void a_suspension_while_the_lock_was_held_is_noticed() {
        HeldLease lease = granted(true);
        clockDifference += SECOND + 1;
        released(lease);
        assertThat(restamped(contender(TERMS, Nanos.FOREVER))).isSameAs(lease);
    }

    @Test
    void a_suspension_between_the_request_and_the_grant_is_noticed() {
        Contender first = contender(TERMS, Nanos.FOREVER);
        on(new Event.Joined(first));
        clockDifference += SECOND + 1;
        on(new Event.Answered(
                first,
                first.request(),
                now,
                new Attempt.Granted(Grant.of(first.claim(), ++tokens, LEASE), true),
                null));
        released(present());
        restamped(contender(TERMS, Nanos.FOREVER));
    }

    @Test
    void a_suspension_before_a_hand_off_is_noticed_after_it() {
        HeldLease lease = granted(true);
        clockDifference += SECOND + 1;
        on(new Event.Joined(contender(TERMS, Nanos.FOREVER)));
        released(lease);
        assertThat(taken).contains(Transition.HANDED_OFF);
        released(present());
        restamped(contender(TERMS, Nanos.FOREVER));
    }

    private void renewed(HeldLease lease, Renewal renewal, long suspendedMeanwhile) {
        now += 5 * SECOND;
        assertThat(only(Effect.Renew.class, on(new Event.TimePassed(lease)))).hasSize(1);
        clockDifference += suspendedMeanwhile;
        on(new Event.Renewed(lease, now, renewal));
    }

    @Test
    void a_suspension_before_a_renewal_that_was_confirmed_changes_nothing() {
        HeldLease lease = granted(true);
        clockDifference += SECOND + 1;
        renewed(lease, new Renewal.Renewed(LEASE), 0);
        released(lease);
        assertThat(outcomes(on(new Event.Joined(contender(TERMS, 0))))).hasOnlyElementsOfType(Outcome.Acquired.class);
    }

    @Test
    void a_suspension_while_a_renewal_is_under_way_is_noticed() {
        HeldLease lease = granted(true);
        renewed(lease, new Renewal.Renewed(LEASE), SECOND + 1);
        released(lease);
        restamped(contender(TERMS, Nanos.FOREVER));
    }

    @Test
    void a_renewal_that_confirms_no_later_deadline_is_not_what_the_clocks_are_compared_since() {
        HeldLease lease = granted(true);
        clockDifference += SECOND + 1;
        renewed(lease, new Renewal.Renewed(Duration.ofSeconds(1)), 0);
        released(lease);
        restamped(contender(TERMS, Nanos.FOREVER));
    }

    @Test
    void a_clock_that_was_set_by_a_second_changes_nothing() {
        kept();
        clockDifference -= SECOND;
        assertThat(outcomes(on(new Event.Joined(contender(TERMS, 0))))).hasOnlyElementsOfType(Outcome.Acquired.class);
    }

    @Test
    void a_grant_has_256_leases_in_all() {
        HeldLease lease = kept();
        for (int i = 1; i < 256; i++) {
            on(new Event.Joined(contender(TERMS, Nanos.FOREVER)));
            assertThat(present().token()).isEqualTo(lease.token() + i);
            released(present());
        }
        assertThat(machine.idle()).isFalse();
        assertThat(taken).contains(Transition.RELEASED);
    }

    @Test
    void a_floor_ends_what_is_kept_below_it_and_what_would_be() {
        HeldLease lease = kept();
        givesBack(lease, on(new Event.FloorRaised(1)));
        HeldLease below = granted(true);
        on(new Event.FloorRaised(2));
        assertThat(only(Effect.Release.class, released(below))).hasSize(1);
    }

    @Test
    void closing_gives_back_what_is_kept() {
        givesBack(kept(), on(new Event.Closing(NOWHERE)));
    }

    /** Takes a refusal of a try; the pause before the next one, or -1 if it has ended. */
    private long refused(Contender contender, boolean recalled) {
        List<Effect> effects = on(new Event.Answered(
                contender, contender.request(), now, new Attempt.Busy(Duration.ofMillis(1), recalled), null));
        if (contender.ended()) {
            assertThat(outcomes(effects)).containsExactly(Outcome.CONTENDED);
            return -1;
        }
        assertThat(outcomes(effects)).isEmpty();
        return contender.alarm - now;
    }

    @Test
    void a_try_that_meets_a_keeper_asks_again_for_40_ms() {
        Contender contender = contender(TERMS, 0);
        on(new Event.Joined(contender));
        on(new Event.Slept(contender));
        List<Long> pauses = new ArrayList<>();
        for (long pause = refused(contender, true); pause > 0; pause = refused(contender, true)) {
            assertThat(machine.idle()).isFalse();
            pauses.add(pause / MILLISECOND);
            now += pause;
            assertThat(only(Effect.Acquire.class, on(new Event.TimePassed(contender))))
                    .hasSize(1);
        }
        assertThat(pauses).containsExactly(1L, 2L, 4L, 8L, 16L, 9L);
        assertThat(machine.idle()).isTrue();
    }

    @Test
    void a_try_is_over_when_the_keeper_says_that_the_lock_is_in_use() {
        Contender contender = contender(TERMS, 0);
        on(new Event.Joined(contender));
        now += refused(contender, true);
        on(new Event.TimePassed(contender));
        assertThat(refused(contender, false)).isNegative();
    }

    @Test
    void a_try_that_is_about_to_ask_again_ends_with_its_client() {
        Contender contender = contender(TERMS, 0);
        on(new Event.Joined(contender));
        refused(contender, true);
        assertThat(outcomes(on(new Event.Closing(NOWHERE)))).containsExactly(Outcome.CLOSED);
        assertThat(machine.idle()).isTrue();
    }

    @Test
    void a_try_whose_answer_comes_while_its_client_closes_does_not_ask_again() {
        Contender contender = contender(TERMS, 0);
        on(new Event.Joined(contender));
        on(new Event.Closing(NOWHERE));
        assertThat(refused(contender, true)).isNegative();
        assertThat(machine.idle()).isTrue();
    }

    @Test
    void a_try_that_asks_again_sees_what_its_own_client_has_by_then() {
        Contender held = tryRefused();
        HeldLease lease = granted(true);
        now += 2 * MILLISECOND;
        assertThat(outcomes(on(new Event.TimePassed(held)))).containsExactly(Outcome.CONTENDED);
        Contender free = tryRefusedWhileHeld();
        released(lease);
        now += 2 * MILLISECOND;
        assertThat(outcomes(on(new Event.TimePassed(free)))).hasOnlyElementsOfType(Outcome.Acquired.class);
    }

    private Contender tryRefused() {
        Contender contender = contender(TERMS, 0);
        on(new Event.Joined(contender));
        refused(contender, true);
        return contender;
    }

    /** It asked while the lease was in doubt. */
    private Contender tryRefusedWhileHeld() {
        HeldLease lease = present();
        signalled(lease, Signal.SUSPECT);
        Contender contender = tryRefused();
        signalled(lease, Signal.RESTORED);
        on(new Event.TimePassed(lease));
        on(new Event.Renewed(lease, now, new Renewal.Renewed(LEASE)));
        return contender;
    }

    @Test
    void a_try_that_was_sent_before_does_not_go_into_a_transfer() {
        granted(true);
        Contender contender = tryRefusedWhileHeld();
        released(present());
        clockDifference += 2 * SECOND;
        now += 2 * MILLISECOND;
        List<Effect> effects = on(new Event.TimePassed(contender));
        assertThat(only(Effect.Transfer.class, effects)).isEmpty();
        assertThat(only(Effect.Withdraw.class, effects)).hasSize(1);
        assertThat(only(Effect.Acquire.class, effects)).hasSize(1);
    }

    @Test
    void a_name_that_wanders_is_asked_for_without_keeping() {
        for (int i = 0; i < 2; i++) {
            assertThat(keeping.worthwhile(NAME)).isTrue();
            signalled(kept(), Signal.WANTED);
        }
        for (int i = 0; i < Keeping.NOT_KEPT; i++) {
            HeldLease lease = granted(true);
            assertThat(lease.grant.claim().keeps()).isFalse();
            released(lease);
            on(new Event.ReleaseAnswered(lease, Released.RELEASED, null));
        }
        assertThat(granted(true).grant.claim().keeps()).isTrue();
    }

    @Test
    void a_name_that_goes_on_wandering_is_kept_more_and_more_rarely_until_it_is_used_again() {
        signalled(kept(), Signal.WANTED);
        for (int notKept : List.of(8, 16, 32, 64, 64)) {
            signalled(kept(), Signal.WANTED);
            for (int i = 0; i < notKept; i++) {
                assertThat(keeping.worthwhile(NAME)).as("%s of %s", i, notKept).isFalse();
                HeldLease lease = granted(true);
                released(lease);
                on(new Event.ReleaseAnswered(lease, Released.RELEASED, null));
            }
            assertThat(keeping.worthwhile(NAME)).as("after %s", notKept).isTrue();
        }
        kept();
        on(new Event.Joined(contender(TERMS, Nanos.FOREVER)));
        HeldLease again = present();
        released(again);
        signalled(again, Signal.WANTED);
        assertThat(keeping.worthwhile(NAME)).as("one recall after a use").isTrue();
    }

    @Test
    void a_name_that_is_used_again_does_not_wander() {
        for (int i = 0; i < 10; i++) {
            kept();
            on(new Event.Joined(contender(TERMS, Nanos.FOREVER)));
            HeldLease lease = present();
            released(lease);
            signalled(lease, Signal.WANTED);
            assertThat(keeping.worthwhile(NAME)).isTrue();
        }
    }

    @Test
    void a_machine_without_keep_asks_as_ever() {
        LockMachine plain = new LockMachine(
                NameAndCapacity.exclusive(NAME),
                new EngineSettings(10 * SECOND, 10 * SECOND, 255, SECOND, true, false),
                () -> new HolderId("p"),
                row -> {});
        List<Effect> effects = new ArrayList<>();
        plain.on(new Event.Joined(plain.contender(TERMS, NOWHERE, SECOND, now)), now, effects);
        assertThat(only(Effect.Acquire.class, effects))
                .singleElement()
                .satisfies(asked -> assertThat(asked.claim().keeps()).isFalse());
    }
}
