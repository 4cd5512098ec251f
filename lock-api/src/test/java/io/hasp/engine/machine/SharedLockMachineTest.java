package io.hasp.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.GrantRenewal;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.LeaseLife;
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
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The machine of a lock that several share: what differs from an exclusive one. */
class SharedLockMachineTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final LeaseTerms READ =
            LeaseTerms.of(LEASE, Optional.empty(), Optional.empty()).withShare(Share.READ);
    private static final LeaseTerms WRITE = READ.withShare(Share.WRITE);
    private static final RequestExecutor NOWHERE = request -> {};

    private final AtomicInteger holders = new AtomicInteger();
    private final Set<Transition> taken = EnumSet.noneOf(Transition.class);
    private final LockMachine machine = new LockMachine(
            new NameAndCapacity(new LockName("a"), Share.READ_WRITE),
            new EngineSettings(30 * SECOND, 30 * SECOND, 255, SECOND, true, false),
            () -> new HolderId("h" + holders.incrementAndGet()),
            taken::add);
    private long now = SECOND;

    private List<Effect> on(Event event) {
        List<Effect> effects = new ArrayList<>();
        machine.on(event, now, effects);
        return effects;
    }

    private Contender contender(LeaseTerms terms, long wait) {
        return machine.contender(terms, NOWHERE, wait, now);
    }

    private Contender joined(LeaseTerms terms) {
        Contender contender = contender(terms, Nanos.FOREVER);
        on(new Event.Joined(contender));
        return contender;
    }

    private HeldLease granted(Contender contender, long token) {
        Attempt answer = new Attempt.Granted(Grant.of(contender.claim(), token, LEASE));
        return leases(on(new Event.Answered(contender, contender.request(), now, answer, null)))
                .get(0);
    }

    private HeldLease granted(LeaseTerms terms) {
        return granted(joined(terms), holders.get() + 1);
    }

    private List<Effect> refused(Contender contender) {
        return on(new Event.Answered(
                contender, contender.request(), now, new Attempt.Busy(Duration.ofMillis(500)), null));
    }

    private Optional<HeldLease> lowered(HeldLease lease, Share share) {
        LowerCall call = new LowerCall(share);
        return on(new Event.Lowering(lease, call)).stream()
                .filter(Effect.CompleteLowering.class::isInstance)
                .map(effect -> Optional.ofNullable(((Effect.CompleteLowering) effect).lease()))
                .findFirst()
                .orElseThrow();
    }

    private static List<HeldLease> leases(List<Effect> effects) {
        return outcomes(effects).stream()
                .map(outcome -> ((Outcome.Acquired) outcome).lease())
                .toList();
    }

    private static List<Outcome> outcomes(List<Effect> effects) {
        return effects.stream()
                .filter(Effect.Complete.class::isInstance)
                .map(effect -> ((Effect.Complete) effect).outcome())
                .toList();
    }

    private static List<Contender> asking(List<Effect> effects) {
        return effects.stream()
                .filter(Effect.Acquire.class::isInstance)
                .map(effect -> ((Effect.Acquire) effect).contender())
                .toList();
    }

    @Test
    void sixteen_ask_at_once_and_the_next_when_one_of_them_has_its_lease_or_leaves() {
        List<Contender> all = IntStream.range(0, 20)
                .mapToObj(i -> contender(READ, Nanos.FOREVER))
                .toList();
        List<Contender> asked = new ArrayList<>();
        all.forEach(contender -> asked.addAll(asking(on(new Event.Joined(contender)))));
        assertThat(asked).isEqualTo(all.subList(0, 16));

        Attempt answer = new Attempt.Granted(Grant.of(all.get(3).claim(), 1, LEASE));
        assertThat(asking(on(new Event.Answered(all.get(3), all.get(3).request(), now, answer, null))))
                .containsExactly(all.get(16));
        assertThat(asking(on(new Event.GaveUp(all.get(5), Outcome.ABANDONED)))).containsExactly(all.get(17));
    }

    @Test
    void each_claim_names_its_share_and_a_holder_stands_in_nobodys_way_here() {
        HeldLease first = granted(READ);
        Contender tried = contender(WRITE, 0);
        List<Effect> effects = on(new Event.Joined(tried));
        assertThat(asking(effects)).containsExactly(tried);
        assertThat(tried.claim().share()).isEqualTo(Share.WRITE);
        HeldLease second = granted(READ);
        assertThat(first.alive() && second.alive()).isTrue();
        assertThat(machine.holder()).isNull();
    }

    @Test
    void a_release_goes_to_the_server_although_others_wait_here() {
        HeldLease writer = granted(WRITE);
        Contender reader = joined(READ);
        refused(reader);
        List<Effect> effects = on(new Event.GivenBack(writer, new ReleaseCall(NOWHERE)));
        assertThat(effects).hasAtLeastOneElementOfType(Effect.Release.class);
        assertThat(leases(effects)).isEmpty();
        assertThat(taken).contains(Transition.RELEASED).doesNotContain(Transition.HANDED_OFF, Transition.TRANSFERRED);
        on(new Event.ReleaseAnswered(writer, Released.RELEASED, null));
        on(new Event.GaveUp(reader, Outcome.ABANDONED));
        assertThat(machine.toString()).contains("0 leases");
    }

    @Test
    void a_signal_is_for_the_lease_of_its_holder_alone() {
        Contender first = joined(READ);
        HeldLease lost = granted(first, 1);
        HeldLease kept = granted(READ);
        on(new Event.Signalled(first, lost.grant.claim().holder(), Signal.LOST));
        assertThat(lost.life().state()).isEqualTo(LeaseLife.State.LOST);
        assertThat(kept.life().state()).isEqualTo(LeaseLife.State.HELD);
    }

    /** It has lost its data, or an administrator has deleted the lock. */
    @Test
    void a_grant_that_leaves_no_room_for_earlier_leases_ends_them_since_the_server_knows_better() {
        HeldLease first = granted(READ);
        HeldLease second = granted(READ);
        HeldLease writer = granted(WRITE);
        assertThat(List.of(first, second))
                .allSatisfy(lease -> assertThat(lease.life().state()).isEqualTo(LeaseLife.State.LOST));
        assertThat(first.loss()).isEqualTo("the server granted the lock to another holder of this client");
        assertThat(writer.alive()).isTrue();
        HeldLease reader = granted(READ);
        assertThat(writer.life().state()).isEqualTo(LeaseLife.State.LOST);
        assertThat(reader.alive()).isTrue();
    }

    @Test
    void a_late_grant_that_a_later_one_leaves_no_room_for_is_withdrawn() {
        Contender late = joined(READ);
        HeldLease writer = granted(joined(WRITE), 2);
        Attempt answer = new Attempt.Granted(Grant.of(late.claim(), 1, LEASE));
        List<Effect> effects = on(new Event.Answered(late, late.request(), now, answer, null));
        assertThat(outcomes(effects)).isEmpty();
        assertThat(effects).hasAtLeastOneElementOfType(Effect.Withdraw.class);
        assertThat(asking(effects)).containsExactly(late);
        assertThat(writer.alive()).isTrue();
        assertThat(taken).contains(Transition.GRANTED_LOST);
    }

    @Test
    void a_wait_that_never_had_its_turn_asks_for_itself_before_it_ends() {
        IntStream.range(0, 16).forEach(i -> refused(joined(WRITE)));
        Contender last = contender(READ, SECOND);
        assertThat(asking(on(new Event.Joined(last)))).isEmpty();
        on(new Event.Slept(last));
        now += SECOND / 2;
        assertThat(asking(on(new Event.TimePassed(last)))).containsExactly(last);
        now += SECOND / 2;
        assertThat(outcomes(on(new Event.TimePassed(last)))).isEmpty();
        assertThat(outcomes(refused(last))).containsExactly(Outcome.CONTENDED);
    }

    @Test
    void a_short_wait_that_never_had_its_turn_asks_at_its_end() {
        IntStream.range(0, 16).forEach(i -> refused(joined(WRITE)));
        Contender last = contender(READ, SECOND / 10);
        on(new Event.Joined(last));
        on(new Event.Slept(last));
        now += SECOND / 10;
        assertThat(asking(on(new Event.TimePassed(last)))).containsExactly(last);
        assertThat(outcomes(refused(last))).containsExactly(Outcome.CONTENDED);
    }

    @Test
    void a_writer_that_goes_on_reading_has_the_next_token_and_the_same_deadline_and_is_renewed_at_once() {
        HeldLease writer = granted(WRITE);
        now += SECOND;
        LowerCall call = new LowerCall(Share.READ);
        List<Effect> effects = on(new Event.Lowering(writer, call));
        HeldLease reader = effects.stream()
                .filter(Effect.Renew.class::isInstance)
                .map(effect -> ((Effect.Renew) effect).lease())
                .findFirst()
                .orElseThrow();
        assertThat(writer.life().state()).isEqualTo(LeaseLife.State.RELEASED);
        assertThat(reader.grant.claim().share()).isEqualTo(Share.READ);
        assertThat(reader.grant.claim().holder()).isEqualTo(writer.grant.claim().holder());
        assertThat(reader.token()).isEqualTo(writer.token() + 1);
        assertThat(reader.life().deadline()).isEqualTo(writer.life().deadline());
        assertThat(machine.has(reader)).isTrue();
        assertThat(machine.has(writer)).isFalse();
        // A timer first: an answer to a lease without one is nobody's.
        assertThat(effects.indexOf(new Effect.Wake(reader)))
                .isBetween(0, effects.indexOf(new Effect.Renew(reader)) - 1);
    }

    @Test
    void a_lowering_without_an_answer_is_repeated_even_for_a_fixed_lease() {
        LeaseTerms fixed =
                LeaseTerms.of(LEASE, Optional.of(LEASE), Optional.empty()).withShare(Share.WRITE);
        HeldLease reader = lowered(granted(fixed), Share.READ).orElseThrow();
        Claim asked = reader.grant.claim();
        assertThat(asked.lease()).as("the server is not to keep it for longer").isEqualTo(Duration.ofMillis(1));
        BackendFailure failure =
                new BackendFailure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "no answer", null);
        on(new Event.Renewed(reader, now, new Renewal.Unknown(failure)));
        now += SECOND * 30 / 12;
        assertThat(on(new Event.TimePassed(reader))).contains(new Effect.Renew(reader));
        on(new Event.Renewed(reader, now, new Renewal.Renewed(Duration.ofMillis(1))));
        assertThat(reader.life().state()).isEqualTo(LeaseLife.State.HELD);
        now += 20 * SECOND;
        assertThat(on(new Event.TimePassed(reader))).doesNotContain(new Effect.Renew(reader));
    }

    private static Event unconfirmed(HeldLease reader, long sentAt) {
        BackendFailure failure =
                new BackendFailure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "no answer", null);
        return new Event.Renewed(reader, sentAt, new Renewal.Unknown(failure));
    }

    @Test
    void a_lowering_without_an_answer_is_repeated_at_once_for_a_try_that_is_refused_for_it() {
        HeldLease reader = lowered(granted(WRITE), Share.READ).orElseThrow();
        Contender tried = contender(READ, 0);
        on(new Event.Joined(tried));
        on(unconfirmed(reader, now));
        now += SECOND / 10;
        assertThat(refused(tried)).contains(new Effect.Renew(reader));
        Contender other = contender(WRITE, 0);
        on(new Event.Joined(other));
        assertThat(refused(other)).as("it is under way").doesNotContain(new Effect.Renew(reader));
        List<Effect> effects = on(new Event.Renewed(reader, now, new Renewal.Renewed(LEASE)));
        assertThat(asking(effects)).containsExactly(tried, other);
    }

    @Test
    void a_lowering_from_before_the_refusal_is_repeated_and_one_from_after_it_fails_the_try() {
        HeldLease reader = lowered(granted(WRITE), Share.READ).orElseThrow();
        long sentAt = now;
        Contender tried = contender(READ, 0);
        on(new Event.Joined(tried));
        now += SECOND / 10;
        assertThat(outcomes(refused(tried))).isEmpty();
        assertThat(on(unconfirmed(reader, sentAt))).contains(new Effect.Renew(reader));
        List<Effect> effects = on(unconfirmed(reader, now));
        assertThat(effects).doesNotContain(new Effect.Renew(reader));
        assertThat(outcomes(effects)).hasSize(1).hasOnlyElementsOfType(Outcome.Failed.class);
    }

    /** Before the share is lowered, or after it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_renewal_from_before_the_backend_was_there_again_confirms_no_lease_that_began_meanwhile(boolean before) {
        Contender contender = joined(WRITE);
        HeldLease writer = granted(contender, 1);
        Event restored = new Event.Signalled(contender, contender.claim().holder(), Signal.RESTORED);
        now += SECOND * 15;
        assertThat(on(new Event.TimePassed(writer))).contains(new Effect.Renew(writer));
        long sentAt = now;
        if (before) {
            on(restored);
        }
        HeldLease reader = lowered(writer, Share.READ).orElseThrow();
        if (!before) {
            on(restored);
        }
        long deadline = reader.life().deadline();
        on(new Event.Renewed(writer, sentAt, new Renewal.Renewed(LEASE)));
        assertThat(reader.life().deadline()).isEqualTo(deadline);
    }

    @Test
    void what_a_renewal_under_way_is_told_counts_for_the_lease_that_began_meanwhile() {
        HeldLease writer = granted(WRITE);
        long sentAt = now += 10 * SECOND;
        HeldLease reader = lowered(writer, Share.READ).orElseThrow();
        long before = reader.life().deadline();
        on(new Event.Renewed(writer, sentAt, new Renewal.Renewed(LEASE)));
        assertThat(reader.life().deadline()).isEqualTo(before + 10 * SECOND);
        now += 5 * SECOND;
        assertThat(on(new Event.TimePassed(reader)))
                .as("its own renewal is under way still")
                .doesNotContain(new Effect.Renew(reader));
        on(new Event.Renewed(writer, sentAt, new Renewal.Lost("nobody has it")));
        assertThat(reader.life().state()).isEqualTo(LeaseLife.State.LOST);
    }

    /** The client leaves its work after the share is lowered, or before that. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_renewal_from_before_the_share_was_lowered_confirms_no_lease_that_is_left_to_its_work(boolean leftBefore) {
        HeldLease writer = granted(WRITE);
        now += SECOND * 15;
        assertThat(on(new Event.TimePassed(writer))).contains(new Effect.Renew(writer));
        long sentAt = now;
        if (leftBefore) {
            on(new Event.Leaving());
        }
        HeldLease reader = lowered(writer, Share.READ).orElseThrow();
        if (!leftBefore) {
            on(new Event.Leaving());
        }
        long deadline = reader.life().deadline();
        for (HeldLease asked : List.of(writer, reader)) {
            on(new Event.Renewed(asked, sentAt, new Renewal.Renewed(LEASE)));
            assertThat(reader.life().state()).isEqualTo(LeaseLife.State.SUSPECT);
            assertThat(reader.life().reason()).isEqualTo(GrantRenewal.CLOSED);
            assertThat(reader.life().deadline()).isEqualTo(deadline);
        }
    }

    @Test
    void a_fixed_lease_that_is_left_to_its_work_stays_held_when_its_lowering_is_answered() {
        LeaseTerms fixed =
                LeaseTerms.of(LEASE, Optional.of(LEASE), Optional.empty()).withShare(Share.WRITE);
        HeldLease reader = lowered(granted(fixed), Share.READ).orElseThrow();
        on(new Event.Leaving());
        assertThat(reader.life().state()).as("confirmed up to its end").isEqualTo(LeaseLife.State.HELD);
        on(new Event.Renewed(reader, now, new Renewal.Renewed(Duration.ofMillis(1))));
        assertThat(reader.life().state()).isEqualTo(LeaseLife.State.HELD);
    }

    @Test
    void a_lease_that_is_over_is_not_lowered() {
        HeldLease writer = granted(WRITE);
        now += 60 * SECOND;
        assertThat(lowered(writer, Share.READ)).isEmpty();
        assertThat(writer.life().state()).isEqualTo(LeaseLife.State.LOST);
        assertThat(taken).contains(Transition.LOWERED_OVER);
    }

    @Test
    void giving_everything_back_gives_back_all_leases() {
        List<HeldLease> all = List.of(granted(READ), granted(READ), granted(READ));
        List<Effect> effects = on(new Event.GivingEverythingBack(NOWHERE));
        assertThat(effects.stream()
                        .filter(Effect.Release.class::isInstance)
                        .map(effect -> ((Effect.Release) effect).lease()))
                .containsExactlyElementsOf(all);
        all.forEach(lease -> on(new Event.ReleaseAnswered(lease, Released.RELEASED, null)));
        assertThat(machine.idle()).isTrue();
    }

    @Test
    void a_failure_of_the_client_ends_all_leases_and_releases_nothing() {
        HeldLease first = granted(READ);
        HeldLease second = granted(READ);
        List<Effect> effects = on(new Event.ClientFailed("of the test"));
        assertThat(List.of(first, second))
                .allSatisfy(lease -> assertThat(lease.life().state()).isEqualTo(LeaseLife.State.LOST));
        assertThat(effects).contains(new Effect.Notify(first, false), new Effect.Notify(second, false));
        assertThat(effects).hasOnlyElementsOfTypes(Effect.Notify.class, Effect.Report.class);
    }
}
