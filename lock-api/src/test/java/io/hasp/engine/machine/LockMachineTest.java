package io.hasp.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.LeaseLife;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.threads.Nanos;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Single steps of the machine, above all those that no simulated world takes. */
class LockMachineTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final LeaseTerms TERMS = LeaseTerms.of(LEASE, Optional.empty(), Optional.empty());
    private static final RequestExecutor NOWHERE = request -> {};

    private final AtomicInteger holders = new AtomicInteger();
    private final Set<Transition> taken = EnumSet.noneOf(Transition.class);
    private final LockMachine machine = new LockMachine(
            NameAndCapacity.exclusive(new LockName("a")),
            new EngineSettings(30 * SECOND, 30 * SECOND, 255, SECOND, true, false),
            () -> new HolderId("h" + holders.incrementAndGet()),
            taken::add);
    private long now = SECOND;

    private List<Effect> on(Event event) {
        List<Effect> effects = new ArrayList<>();
        machine.on(event, now, effects);
        return effects;
    }

    private Contender joined(long wait) {
        return joined(TERMS, wait);
    }

    private Contender joined(LeaseTerms terms, long wait) {
        Contender contender = machine.contender(terms, NOWHERE, wait, now);
        on(new Event.Joined(contender));
        return contender;
    }

    private List<Effect> answered(Contender contender, Attempt attempt) {
        return on(new Event.Answered(contender, contender.request(), now, attempt, null));
    }

    private HeldLease granted(Contender contender, long token) {
        answered(contender, new Attempt.Granted(Grant.of(contender.claim(), token, LEASE)));
        return Objects.requireNonNull(machine.holder());
    }

    private static List<Outcome> outcomes(List<Effect> effects) {
        return effects.stream()
                .filter(Effect.Complete.class::isInstance)
                .map(effect -> ((Effect.Complete) effect).outcome())
                .toList();
    }

    @Test
    void who_joins_a_client_that_closes_is_told_so() {
        on(new Event.Closing(NOWHERE));
        Contender late = machine.contender(TERMS, NOWHERE, Nanos.FOREVER, now);
        assertThat(outcomes(on(new Event.Joined(late)))).containsExactly(Outcome.CLOSED);
        assertThat(taken).contains(Transition.JOINED_CLOSING);
        assertThat(machine.idle()).isTrue();
    }

    /** A job that is asked for while its instance ends is another instance's. */
    @Test
    void a_lock_that_is_granted_to_a_client_that_closes_does_not_stay_taken() {
        Contender contender = joined(TERMS.takenAtLeast(Duration.ofMinutes(1)), 0);
        on(new Event.Closing(NOWHERE));
        List<Effect> effects = answered(contender, new Attempt.Granted(Grant.of(contender.claim(), 1, LEASE)));
        assertThat(outcomes(effects)).containsExactly(Outcome.CLOSED);
        assertThat(taken)
                .contains(Transition.GRANTED_CLOSING, Transition.RELEASED)
                .doesNotContain(Transition.RETAINED);
    }

    @Test
    void a_token_out_of_range_fails_and_its_grant_is_withdrawn() {
        Contender contender = joined(Nanos.FOREVER);
        List<Effect> effects =
                answered(contender, new Attempt.Granted(Grant.of(contender.claim(), Long.MAX_VALUE, LEASE)));
        assertThat(outcomes(effects))
                .singleElement()
                .satisfies(outcome -> assertThat(
                                ((Outcome.Failed) outcome).failure().kind())
                        .isEqualTo(BackendFailure.Kind.INCOMPATIBLE));
        assertThat(effects).hasAtLeastOneElementOfType(Effect.Withdraw.class);
        assertThat(taken).contains(Transition.GRANTED_BAD_TOKEN);
    }

    /** An answer is delivered again if memory runs out after its event was applied. */
    @Test
    void a_grant_that_is_told_twice_is_not_withdrawn_from_its_lease() {
        Contender contender = joined(Nanos.FOREVER);
        HeldLease lease = granted(contender, 1);
        List<Effect> again = answered(contender, new Attempt.Granted(Grant.of(contender.claim(), 1, LEASE)));
        assertThat(again).doesNotHaveAnyElementsOfTypes(Effect.Withdraw.class);
        assertThat(lease.life().state()).isEqualTo(LeaseLife.State.HELD);
        assertThat(machine.toString()).contains("0 releases pending");
    }

    @Test
    void a_server_that_takes_no_holder_id_is_asked_less_often_and_fails_a_wait_in_the_end() {
        Contender contender = joined(10 * SECOND);
        HolderId first = contender.claim().holder();
        for (int i = 0; i < 3; i++) {
            assertThat(answered(contender, new Attempt.Gone())).hasAtLeastOneElementOfType(Effect.Acquire.class);
        }
        assertThat(contender.claim().holder()).isNotEqualTo(first);
        assertThat(answered(contender, new Attempt.Gone())).doesNotHaveAnyElementsOfTypes(Effect.Acquire.class);
        assertThat(taken).contains(Transition.GONE, Transition.GONE_AGAIN);
        now += 11 * SECOND;
        on(new Event.TimePassed(contender));
        assertThat(outcomes(answered(contender, new Attempt.Gone()))).hasOnlyElementsOfType(Outcome.Failed.class);
        assertThat(taken).contains(Transition.GONE_FOR_GOOD);
    }

    /** It would make a request of its own otherwise, and end late by two command timeouts. */
    @Test
    void a_wait_that_is_over_ends_with_the_failure_of_the_one_before_it() {
        BackendFailure denied =
                new BackendFailure(BackendFailure.Kind.DENIED, BackendFailure.Outcome.NOT_APPLIED, "denied", null);
        endsBehind(first -> on(new Event.Answered(first, first.request(), now, null, denied)));
        endsBehind(first -> answered(first, new Attempt.Granted(Grant.of(first.claim(), Long.MAX_VALUE, LEASE))));
        endsBehind(first -> {
            for (int i = 0; i < 3; i++) {
                answered(first, new Attempt.Gone());
            }
            return answered(first, new Attempt.Gone());
        });
    }

    private void endsBehind(Function<Contender, List<Effect>> failure) {
        Contender first = joined(SECOND);
        Contender behind = joined(SECOND);
        now += 2 * SECOND;
        on(new Event.Slept(behind));
        List<Effect> effects = failure.apply(first);
        assertThat(outcomes(effects)).hasSize(2).hasOnlyElementsOfType(Outcome.Failed.class);
        assertThat(effects).doesNotHaveAnyElementsOfTypes(Effect.Acquire.class);
    }

    /** The first of them must not ask only because the one before it has left. */
    @Test
    void waits_that_are_over_end_with_the_failure_of_a_transfer_to_one_that_gave_up() {
        BackendFailure failure =
                new BackendFailure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "no answer", null);
        HeldLease lease = granted(joined(Nanos.FOREVER), 1);
        now += 2 * SECOND;
        Contender next = joined(Nanos.FOREVER);
        List<Contender> behind = List.of(joined(SECOND), joined(SECOND));
        on(new Event.GivenBack(lease, new ReleaseCall(NOWHERE)));
        on(new Event.GaveUp(next, Outcome.ABANDONED));
        now += 2 * SECOND;
        behind.forEach(contender -> on(new Event.Slept(contender)));
        List<Effect> effects = on(new Event.Answered(next, next.request(), now, null, failure));
        assertThat(taken).contains(Transition.TRANSFERRED, Transition.OVERDUE);
        assertThat(outcomes(effects)).hasSize(2).hasOnlyElementsOfType(Outcome.Failed.class);
        assertThat(effects).doesNotHaveAnyElementsOfTypes(Effect.Acquire.class);
    }

    /** It passes others in one client as it does between clients: a contender with a place on the server asks again for itself. */
    @Test
    void only_a_claim_that_was_never_sent_is_transferred() {
        Contender first = joined(Nanos.FOREVER);
        answered(first, new Attempt.Busy(Duration.ofSeconds(1)));
        HeldLease lease = granted(joined(0), 1);
        now += 2 * SECOND;
        List<Effect> effects = on(new Event.GivenBack(lease, new ReleaseCall(NOWHERE)));
        assertThat(effects).hasAtLeastOneElementOfType(Effect.Release.class);
        assertThat(effects).doesNotHaveAnyElementsOfTypes(Effect.Transfer.class);
    }

    @Test
    void a_wait_that_is_over_when_its_caller_goes_to_sleep_is_decided_then() {
        granted(joined(Nanos.FOREVER), 1);
        Contender behind = joined(1);
        now += 2;
        assertThat(outcomes(on(new Event.Slept(behind)))).containsExactly(Outcome.CONTENDED);
    }

    @Test
    void a_successor_has_the_end_of_the_grant_and_not_that_of_its_predecessors_max_hold() {
        LeaseTerms capped = LeaseTerms.of(LEASE, Optional.empty(), Optional.of(Duration.ofSeconds(2)));
        HeldLease capLease = granted(joined(capped, Nanos.FOREVER), 1);
        Contender next = joined(Nanos.FOREVER);
        now += SECOND / 2;
        on(new Event.GivenBack(capLease, new ReleaseCall(NOWHERE)));
        assertThat(next.result).isNotDone();
        HeldLease successor = Objects.requireNonNull(machine.holder());
        assertThat(successor).isNotSameAs(capLease);
        assertThat(successor.life().deadline()).isGreaterThan(SECOND + 29 * SECOND);
        assertThat(taken).contains(Transition.HANDED_OFF);
    }

    /** A wait that is over looks at the new lease, which has come to the end of its max hold on the way. */
    @Test
    void the_beginning_of_a_lease_is_told_before_its_end() {
        LeaseTerms brief = LeaseTerms.of(LEASE, Optional.empty(), Optional.of(Duration.ofSeconds(2)));
        Contender first = joined(brief, Nanos.FOREVER);
        Contender over = joined(SECOND);
        now += 3 * SECOND;
        on(new Event.Slept(over));
        List<Effect> effects = on(new Event.Answered(
                first, first.request(), SECOND, new Attempt.Granted(Grant.of(first.claim(), 1, LEASE)), null));
        assertThat(effects)
                .filteredOn(Effect.Report.class::isInstance)
                .map(effect -> ((Effect.Report) effect).notice().getClass().getSimpleName())
                .containsSubsequence("Acquired", "Lost");
    }

    /** The client's other leases may be longer, and report that time has passed at any moment. */
    @Test
    void a_lease_is_renewed_at_most_a_twelfth_of_itself_too_early() {
        HeldLease lease = granted(joined(Nanos.FOREVER), 1);
        now += 12 * SECOND;
        assertThat(on(new Event.TimePassed(lease))).isEmpty();
        now += SECOND;
        assertThat(on(new Event.TimePassed(lease))).hasAtLeastOneElementOfType(Effect.Renew.class);
    }

    /** After a failover, the answer may be one of the former master. */
    @Test
    void a_renewal_that_was_under_way_when_the_backend_came_back_confirms_nothing() {
        HeldLease lease = granted(joined(Nanos.FOREVER), 1);
        now += 15 * SECOND;
        on(new Event.TimePassed(lease));
        long sentAt = now;
        Contender nobody = joined(0);
        on(new Event.Signalled(nobody, lease.grant.claim().holder(), Signal.SUSPECT));
        on(new Event.Signalled(nobody, lease.grant.claim().holder(), Signal.RESTORED));
        on(new Event.Renewed(lease, sentAt, new Renewal.Renewed(LEASE)));
        assertThat(lease.life().state()).isEqualTo(LeaseLife.State.SUSPECT);
        assertThat(on(new Event.TimePassed(lease))).hasAtLeastOneElementOfType(Effect.Renew.class);
        on(new Event.Renewed(lease, now, new Renewal.Renewed(LEASE)));
        assertThat(lease.life().state()).isEqualTo(LeaseLife.State.HELD);
    }

    /** Whatever is between the two events, an answer for a lease that has ended changes nothing of it. */
    @Test
    void news_of_a_lease_that_has_ended_changes_nothing() {
        HeldLease lease = granted(joined(Nanos.FOREVER), 1);
        on(new Event.GivenBack(lease, new ReleaseCall(NOWHERE)));
        on(new Event.Renewed(lease, now, new Renewal.Lost("gone")));
        on(new Event.Signalled(joined(0), lease.grant.claim().holder(), Signal.LOST));
        assertThat(lease.life().state()).isEqualTo(LeaseLife.State.RELEASED);
        List<Effect> effects = on(new Event.ReleaseAnswered(lease, Released.NOT_HELD, null));
        assertThat(effects)
                .filteredOn(Effect.CompleteRelease.class::isInstance)
                .map(effect -> ((Effect.CompleteRelease) effect).found())
                .containsExactly(ReleaseCall.Found.LOST);
        assertThat(lease.loss()).contains("no longer had it");
    }

    /** No other client can have the lock before the end of the longest lease that the server may have received. */
    @Test
    void a_release_is_owed_for_as_long_as_the_longest_lease_that_was_asked_for() {
        LeaseTerms fixed = LeaseTerms.of(LEASE, Optional.of(LEASE), Optional.empty());
        HeldLease lease = granted(joined(fixed, Nanos.FOREVER), 1);
        on(new Event.Extending(lease, Duration.ofHours(2)));
        List<Effect> effects =
                on(new Event.Signalled(joined(0), lease.grant.claim().holder(), Signal.LOST));
        PendingRelease release = effects.stream()
                .filter(Effect.Withdraw.class::isInstance)
                .map(effect -> ((Effect.Withdraw) effect).release())
                .findFirst()
                .orElseThrow();
        now += Duration.ofHours(1).toNanos();
        BackendFailure failure =
                new BackendFailure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "no answer", null);
        on(new Event.PendingReleaseAnswered(release, failure));
        assertThat(taken).contains(Transition.PENDING_FAILED).doesNotContain(Transition.PENDING_GIVEN_UP);
        now += Duration.ofHours(2).toNanos();
        on(new Event.PendingReleaseAnswered(release, failure));
        assertThat(taken).contains(Transition.PENDING_GIVEN_UP);
    }

    /** The server says no more who had the lock, and the lease of a try does: its holder may have it for long. */
    @Test
    void a_wait_that_is_over_ends_although_a_try_of_its_client_got_the_lock() {
        BackendFailure failure =
                new BackendFailure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "no answer", null);
        Contender failed = joined(0);
        PendingRelease release = on(new Event.Answered(failed, failed.request(), now, null, failure)).stream()
                .filter(Effect.Withdraw.class::isInstance)
                .map(effect -> ((Effect.Withdraw) effect).release())
                .findFirst()
                .orElseThrow();
        Contender waiter = joined(SECOND);
        Contender passesBy = joined(0);
        now += 2 * SECOND;
        answered(passesBy, new Attempt.Granted(Grant.of(passesBy.claim(), 2, LEASE)));
        answered(waiter, new Attempt.Busy(Duration.ofMillis(1)));
        assertThat(taken).contains(Transition.BUSY_WITH_OWN);
        List<Effect> effects = on(new Event.PendingReleaseAnswered(release, null));
        assertThat(outcomes(effects)).containsExactly(Outcome.CONTENDED);
    }
}
