package io.hasp.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.threads.Nanos;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Permits that a client hands on from one holder to the next, in the order in which they came. */
class PermitsMachineTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long WITHIN = SECOND / 50;
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final LeaseTerms ONE = permits(1);
    private static final LeaseTerms TWO = permits(2);
    private static final RequestExecutor NOWHERE = request -> {};

    private final AtomicInteger holders = new AtomicInteger();
    private LockMachine machine = machine(255);
    private long now = SECOND;

    private static LeaseTerms permits(int number) {
        return LeaseTerms.of(LEASE, Optional.empty(), Optional.empty()).withShare(new Share(number, 5));
    }

    private LockMachine machine(int handOffs) {
        return new LockMachine(
                new NameAndCapacity(new LockName("a"), 5),
                new EngineSettings(30 * SECOND, 30 * SECOND, handOffs, WITHIN, true, false),
                () -> new HolderId("h" + holders.incrementAndGet()),
                row -> {});
    }

    private List<Effect> on(Event event) {
        List<Effect> effects = new ArrayList<>();
        machine.on(event, now, effects);
        return effects;
    }

    private Contender joined(LeaseTerms terms) {
        Contender contender = machine.contender(terms, NOWHERE, Nanos.FOREVER, now);
        on(new Event.Joined(contender));
        return contender;
    }

    private HeldLease granted(LeaseTerms terms) {
        Contender contender = joined(terms);
        Grant grant = Grant.of(contender.claim(), holders.get(), LEASE);
        return lease(on(new Event.Answered(contender, contender.request(), now, new Attempt.Granted(grant), null)));
    }

    private Contender refused(LeaseTerms terms) {
        Contender contender = joined(terms);
        assertThat(contender.is(Contender.Phase.ASKING)).isTrue();
        on(new Event.Answered(contender, contender.request(), now, new Attempt.Busy(Duration.ofMillis(500)), null));
        return contender;
    }

    private Contender waitsHere(LeaseTerms terms) {
        Contender contender = joined(terms);
        assertThat(contender.is(Contender.Phase.QUEUED)).isTrue();
        return contender;
    }

    private List<Effect> givenBack(HeldLease lease) {
        return on(new Event.GivenBack(lease, new ReleaseCall(NOWHERE)));
    }

    private static <T extends Effect> List<T> only(Class<T> kind, List<Effect> effects) {
        return effects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private static HeldLease lease(List<Effect> effects) {
        return ((Outcome.Acquired) only(Effect.Complete.class, effects).get(0).outcome()).lease();
    }

    private static Contender completed(List<Effect> effects) {
        return only(Effect.Complete.class, effects).get(0).contender();
    }

    @Test
    void as_long_as_nobody_is_refused_all_ask_at_the_same_time() {
        List<Contender> all = List.of(joined(ONE), joined(ONE), joined(TWO));
        assertThat(all).allMatch(contender -> contender.is(Contender.Phase.ASKING));
    }

    @Test
    void who_comes_while_another_waits_for_as_many_does_not_ask() {
        refused(ONE);
        waitsHere(ONE);
        refused(TWO);
        waitsHere(TWO);
    }

    @Test
    void permits_that_are_given_back_go_to_the_first_and_the_others_move_up() {
        HeldLease held = granted(ONE);
        Contender first = refused(ONE);
        HolderId place = first.claim().holder();
        Contender second = waitsHere(ONE);
        List<Effect> effects = givenBack(held);
        assertThat(completed(effects)).isSameAs(first);
        assertThat(lease(effects).grant.claim().holder())
                .isEqualTo(held.grant.claim().holder());
        assertThat(lease(effects).token()).isEqualTo(held.token() + 1);
        assertThat(only(Effect.Release.class, effects)).isEmpty();
        assertThat(only(Effect.Withdraw.class, effects)).isEmpty();
        assertThat(only(Effect.Acquire.class, effects)).isEmpty();
        assertThat(second.claim().holder()).isEqualTo(place);
        assertThat(second.is(Contender.Phase.RESTING)).isTrue();
    }

    @Test
    void the_one_that_moved_up_is_woken_and_asks_under_the_place_s_holder_id() {
        HeldLease held = granted(ONE);
        Contender first = refused(ONE);
        HolderId place = first.claim().holder();
        Contender second = waitsHere(ONE);
        givenBack(held);
        List<Effect> effects = on(new Event.Signalled(first, place, Signal.MAYBE_FREE));
        assertThat(only(Effect.Acquire.class, effects))
                .singleElement()
                .satisfies(asked -> assertThat(asked.contender()).isSameAs(second))
                .satisfies(asked -> assertThat(asked.claim().holder()).isEqualTo(place));
    }

    @Test
    void all_that_wait_on_the_server_move_up_by_one() {
        HeldLease held = granted(ONE);
        Contender first = joined(ONE);
        Contender second = joined(ONE);
        List<HolderId> places = List.of(first.claim().holder(), second.claim().holder());
        for (Contender contender : List.of(first, second)) {
            on(new Event.Answered(contender, contender.request(), now, new Attempt.Busy(Duration.ofMillis(500)), null));
        }
        Contender third = waitsHere(ONE);
        givenBack(held);
        assertThat(List.of(second.claim().holder(), third.claim().holder())).isEqualTo(places);
    }

    @Test
    void without_one_that_waits_here_only_the_server_decides() {
        HeldLease held = granted(ONE);
        refused(ONE);
        List<Effect> effects = givenBack(held);
        assertThat(only(Effect.Release.class, effects)).hasSize(1);
        assertThat(only(Effect.Complete.class, effects)).isEmpty();
    }

    @Test
    void another_number_of_permits_is_not_handed_on() {
        HeldLease held = granted(TWO);
        refused(ONE);
        waitsHere(ONE);
        assertThat(only(Effect.Release.class, givenBack(held))).hasSize(1);
    }

    @Test
    void permits_are_not_handed_on_for_longer_than_the_bound() {
        HeldLease held = granted(ONE);
        refused(ONE);
        waitsHere(ONE);
        now += WITHIN;
        assertThat(only(Effect.Release.class, givenBack(held))).hasSize(1);
    }

    @Test
    void without_hand_off_all_ask_the_server() {
        machine = machine(0);
        HeldLease held = granted(ONE);
        refused(ONE);
        refused(ONE);
        assertThat(only(Effect.Release.class, givenBack(held))).hasSize(1);
    }

    @Test
    void readers_all_ask_the_server() {
        machine = new LockMachine(
                new NameAndCapacity(new LockName("a"), Share.READ_WRITE),
                new EngineSettings(30 * SECOND, 30 * SECOND, 255, WITHIN, true, false),
                () -> new HolderId("h" + holders.incrementAndGet()),
                row -> {});
        LeaseTerms read = ONE.withShare(Share.READ);
        HeldLease held = granted(read);
        refused(read);
        refused(read);
        assertThat(only(Effect.Release.class, givenBack(held))).hasSize(1);
    }

    @Test
    void a_raised_floor_ends_what_is_handed_on() {
        HeldLease held = granted(ONE);
        refused(ONE);
        waitsHere(ONE);
        on(new Event.FloorRaised(held.grant.token()));
        assertThat(only(Effect.Release.class, givenBack(held))).hasSize(1);
    }

    /** The server may have granted that place already, with a token that is not above the floor. */
    @Test
    void a_place_from_before_a_floor_was_raised_goes_to_nobody_who_came_later() {
        HeldLease held = granted(ONE);
        refused(ONE);
        on(new Event.FloorRaised(held.grant.token() - 1));
        Contender later = waitsHere(ONE);
        assertThat(only(Effect.Release.class, givenBack(held))).hasSize(1);
        assertThat(later.is(Contender.Phase.QUEUED)).isTrue();
    }

    @Test
    void a_place_from_after_a_floor_was_raised_moves_up() {
        HeldLease held = granted(ONE);
        on(new Event.FloorRaised(held.grant.token() - 1));
        Contender first = refused(ONE);
        waitsHere(ONE);
        assertThat(only(Effect.Release.class, givenBack(held))).isEmpty();
        assertThat(first.ended()).isTrue();
    }

    @Test
    void when_the_one_on_the_server_has_its_turn_the_next_one_asks() {
        HeldLease held = granted(ONE);
        Contender first = refused(ONE);
        Contender second = waitsHere(ONE);
        Contender third = waitsHere(ONE);
        now += WITHIN;
        on(new Event.Signalled(first, first.claim().holder(), Signal.MAYBE_FREE));
        Grant grant = Grant.of(first.claim(), 99, LEASE);
        List<Effect> effects = on(new Event.Answered(first, first.request(), now, new Attempt.Granted(grant), null));
        assertThat(only(Effect.Acquire.class, effects))
                .singleElement()
                .satisfies(asked -> assertThat(asked.contender()).isSameAs(second));
        assertThat(third.is(Contender.Phase.QUEUED)).isTrue();
        givenBack(held);
        on(new Event.ReleaseAnswered(held, Released.RELEASED, null));
    }

    @Test
    void when_the_one_on_the_server_leaves_the_next_one_asks() {
        Contender first = refused(ONE);
        Contender second = waitsHere(ONE);
        List<Effect> effects = on(new Event.GaveUp(first, Outcome.ABANDONED));
        assertThat(only(Effect.Withdraw.class, effects)).hasSize(1);
        assertThat(only(Effect.Acquire.class, effects))
                .singleElement()
                .satisfies(asked -> assertThat(asked.contender()).isSameAs(second));
    }

    /** Its caller was interrupted, and its thread has not said so yet. */
    @Test
    void the_place_of_one_that_left_is_nobody_s() {
        HeldLease held = granted(ONE);
        Contender first = refused(ONE);
        Contender second = waitsHere(ONE);
        on(new Event.Signalled(first, first.claim().holder(), Signal.MAYBE_FREE));
        on(new Event.Dropped(first));
        assertThat(completed(givenBack(held))).isSameAs(second);
        assertThat(only(Effect.Withdraw.class, on(new Event.GaveUp(first, Outcome.ABANDONED))))
                .hasSize(1);
    }

    @Test
    void who_waits_behind_one_that_left_asks_when_that_one_says_so() {
        granted(ONE);
        Contender first = refused(ONE);
        Contender second = waitsHere(ONE);
        on(new Event.Signalled(first, first.claim().holder(), Signal.MAYBE_FREE));
        on(new Event.Dropped(first));
        List<Effect> effects = on(new Event.GaveUp(first, Outcome.ABANDONED));
        assertThat(only(Effect.Acquire.class, effects))
                .singleElement()
                .satisfies(asked -> assertThat(asked.contender()).isSameAs(second));
    }

    /** A dropped request asks for no contender. */
    @Test
    void who_moves_up_has_a_time_to_ask_again() {
        HeldLease held = granted(ONE);
        Contender first = refused(ONE);
        Contender second = waitsHere(ONE);
        Contender third = waitsHere(ONE);
        on(new Event.Signalled(first, first.claim().holder(), Signal.MAYBE_FREE));
        on(new Event.Dropped(first));
        HeldLease next = lease(givenBack(held));
        on(new Event.GaveUp(first, Outcome.ABANDONED));
        assertThat(second.ended()).isTrue();
        assertThat(third.is(Contender.Phase.ASKING)).isTrue();
        assertThat(machine.has(next)).isTrue();
    }

    private Contender waitsHereFor(Duration wait) {
        Contender contender = machine.contender(ONE, NOWHERE, wait.toNanos(), now);
        on(new Event.Joined(contender));
        on(new Event.Slept(contender));
        return contender;
    }

    private static BackendFailure outage() {
        return new BackendFailure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "no answer", null);
    }

    private static List<Outcome> outcomes(List<Effect> effects) {
        return only(Effect.Complete.class, effects).stream()
                .map(Effect.Complete::outcome)
                .toList();
    }

    @Test
    void who_moved_up_does_not_end_by_what_the_one_before_it_was_told() {
        HeldLease held = granted(ONE);
        refused(ONE);
        Contender second = waitsHereFor(Duration.ofMillis(300));
        now += WITHIN / 2;
        givenBack(held);
        assertThat(second.is(Contender.Phase.RESTING)).isTrue();
        now += SECOND * 3 / 10;
        List<Effect> effects = on(new Event.TimePassed(second));
        assertThat(outcomes(effects)).isEmpty();
        assertThat(only(Effect.Acquire.class, effects)).hasSize(1);
        assertThat(outcomes(on(new Event.Answered(second, second.request(), now, null, outage()))))
                .hasOnlyElementsOfType(Outcome.Failed.class);
    }

    @Test
    void who_moved_up_after_a_failure_ends_by_that() {
        HeldLease held = granted(ONE);
        Contender first = joined(ONE);
        Contender second = waitsHereFor(Duration.ofMillis(300));
        on(new Event.Answered(first, first.request(), now, new Attempt.Busy(Duration.ofSeconds(9)), null));
        on(new Event.Answered(second, second.request(), now, null, outage()));
        waitsHere(ONE);
        givenBack(held);
        assertThat(second.claim().holder()).isEqualTo(first.claim().holder());
        now += SECOND * 3 / 10;
        assertThat(outcomes(on(new Event.TimePassed(second)))).hasOnlyElementsOfType(Outcome.Failed.class);
    }

    /** Its timer has not run yet, and would be set to when it asks again. */
    @Test
    void who_moves_up_when_its_wait_is_over_asks_at_once() {
        HeldLease held = granted(ONE);
        refused(ONE);
        Contender second = waitsHereFor(Duration.ofMillis(1));
        now += Duration.ofMillis(1).toNanos();
        assertThat(only(Effect.Acquire.class, givenBack(held)))
                .extracting(Effect.Acquire::contender)
                .containsExactly(second);
        assertThat(outcomes(refusedAgain(second))).containsExactly(Outcome.CONTENDED);
    }

    private List<Effect> refusedAgain(Contender contender) {
        return on(new Event.Answered(
                contender, contender.request(), now, new Attempt.Busy(Duration.ofMillis(500)), null));
    }

    /** An answer is delivered again if memory runs out after its event was applied. */
    @Test
    void a_refusal_that_is_told_again_takes_nobody_s_place() {
        HeldLease held = granted(ONE);
        Contender first = refused(ONE);
        Claim place = first.claim();
        Contender second = waitsHere(ONE);
        givenBack(held);
        assertThat(refusedAgain(first)).isEmpty();
        assertThat(second.claim().holder()).isEqualTo(place.holder());
    }

    @Test
    void a_refusal_that_is_told_again_takes_nobody_s_lease() {
        HeldLease held = granted(ONE);
        Contender first = refused(ONE);
        Claim place = first.claim();
        Contender second = waitsHere(ONE);
        givenBack(held);
        on(new Event.Signalled(first, place.holder(), Signal.MAYBE_FREE));
        Grant grant = Grant.of(place, 99, LEASE);
        HeldLease next = lease(on(new Event.Answered(second, second.request(), now, new Attempt.Granted(grant), null)));
        assertThat(refusedAgain(first)).isEmpty();
        assertThat(machine.has(next)).isTrue();
    }

    @Test
    void a_failure_that_is_told_again_takes_nobody_s_lease() {
        Contender first = joined(ONE);
        Event answered = new Event.Answered(first, first.request(), now, null, outage());
        on(answered);
        now += SECOND;
        on(new Event.TimePassed(first));
        Grant grant = Grant.of(first.claim(), 99, LEASE);
        HeldLease lease = lease(on(new Event.Answered(first, first.request(), now, new Attempt.Granted(grant), null)));
        assertThat(on(answered)).isEmpty();
        assertThat(machine.has(lease)).isTrue();
    }

    @Test
    void a_lost_grant_that_is_told_again_is_lost() {
        Contender first = joined(ONE);
        Claim claim = first.claim();
        Event granted =
                new Event.Answered(first, first.request(), now, new Attempt.Granted(Grant.of(claim, 99, LEASE)), null);
        on(new Event.Signalled(first, claim.holder(), Signal.LOST));
        assertThat(only(Effect.Withdraw.class, on(granted))).hasSize(1);
        assertThat(on(granted)).isEmpty();
        assertThat(first.is(Contender.Phase.ASKING)).isTrue();
    }

    @Test
    void whose_place_was_taken_over_withdraws_nothing_when_it_is_told() {
        HeldLease held = granted(ONE);
        Contender first = refused(ONE);
        waitsHere(ONE);
        HeldLease next = lease(givenBack(held));
        List<Effect> effects = on(new Event.GaveUp(first, Outcome.ABANDONED));
        assertThat(effects).isEmpty();
        assertThat(machine.has(next)).isTrue();
    }
}
