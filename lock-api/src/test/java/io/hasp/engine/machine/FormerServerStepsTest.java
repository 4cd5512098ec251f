package io.hasp.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.Keeping;
import io.hasp.engine.lease.LeaseLife;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.lease.Timed;
import io.hasp.engine.threads.Nanos;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** As {@link FormerServerTest}, step by step; and what the server is asked for by the lease before a smaller one. */
class FormerServerStepsTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final LeaseTerms RENEWED = LeaseTerms.of(LEASE, Optional.empty(), Optional.empty());
    private static final LeaseTerms FIXED = LeaseTerms.of(LEASE, Optional.of(LEASE), Optional.empty());
    private static final RequestExecutor NOWHERE = request -> {};

    private final AtomicInteger holders = new AtomicInteger();
    private final Set<Transition> taken = EnumSet.noneOf(Transition.class);
    private LockMachine machine = machine(1, null);
    private long now = SECOND;

    private LockMachine machine(int capacity, @Nullable Keeping keeping) {
        return new LockMachine(
                new NameAndCapacity(new LockName("a"), capacity),
                new EngineSettings(
                        30 * SECOND, 30 * SECOND, 255, SECOND, true, false, keeping == null ? 0 : 5 * SECOND, 16),
                () -> new HolderId("h" + holders.incrementAndGet()),
                taken::add,
                keeping);
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

    private void signal(Contender contender, HolderId holder, Signal... signals) {
        for (Signal signal : signals) {
            on(new Event.Signalled(contender, holder, signal));
        }
    }

    private HeldLease granted(Contender contender, long sentAt, boolean recallable) {
        Claim claim = contender.claim();
        List<Effect> effects = on(new Event.Answered(
                contender,
                contender.request(),
                sentAt,
                new Attempt.Granted(Grant.of(claim, 1, LEASE), recallable),
                null));
        return effects.stream()
                .filter(Effect.Complete.class::isInstance)
                .map(effect -> ((Outcome.Acquired) ((Effect.Complete) effect).outcome()).lease())
                .findFirst()
                .orElseThrow();
    }

    /** Renews as the timer would, whenever the alarm of the lease is due. Returns the renewals until its end. */
    private int renewalsUntilItsEnd(HeldLease lease) {
        int renewals = 0;
        while (lease.alive() && lease.alarm != Timed.NEVER) {
            now = Math.max(now, lease.alarm);
            renewals += (int) on(new Event.TimePassed(lease)).stream()
                    .filter(Effect.Renew.class::isInstance)
                    .count();
            if (renewals > 0) {
                return renewals;
            }
        }
        return renewals;
    }

    @Test
    void a_grant_from_before_is_not_believed() {
        Contender contender = joined(RENEWED);
        signal(contender, contender.claim().holder(), Signal.SUSPECT, Signal.RESTORED);
        HeldLease lease = granted(contender, now, false);
        assertThat(lease.life().state()).isEqualTo(LeaseLife.State.SUSPECT);
    }

    @Test
    void a_fixed_lease_is_asked_for_again() {
        Contender contender = joined(FIXED);
        HeldLease lease = granted(contender, now, false);
        signal(contender, contender.claim().holder(), Signal.SUSPECT, Signal.RESTORED);
        assertThat(lease.life().state()).isEqualTo(LeaseLife.State.SUSPECT);
        assertThat(renewalsUntilItsEnd(lease)).as("renewals of " + lease.life()).isPositive();
    }

    /** As a backend would that noticed nothing before it was connected again. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_lease_is_doubted_and_asked_for_again_also_if_only_the_return_was_noticed(boolean fixed) {
        Contender contender = joined(fixed ? FIXED : RENEWED);
        HeldLease lease = granted(contender, now, false);
        signal(contender, contender.claim().holder(), Signal.RESTORED);
        assertThat(lease.life().state()).isEqualTo(LeaseLife.State.SUSPECT);
        assertThat(lease.handOffAllowed(now)).isFalse();
        assertThat(on(new Event.TimePassed(lease))).contains(new Effect.Renew(lease));
    }

    /** Callers whose wait ends with a lease in doubt hear why it is. */
    @Test
    void a_confirmed_extension_ends_an_earlier_doubt_and_the_delay_of_the_renewal_that_failed() {
        Contender contender = joined(FIXED);
        HeldLease lease = granted(contender, now, false);
        Duration longer = Duration.ofHours(2);
        signal(contender, contender.claim().holder(), Signal.RESTORED);
        on(new Event.TimePassed(lease));
        on(new Event.Renewed(lease, now, new Renewal.Unknown(noMemory())));
        on(new Event.Extending(lease, longer));
        on(new Event.Extended(
                lease, now, Nanos.of(longer), new Renewal.Renewed(longer), lease.renewal.interruptions()));
        now += 3000 * SECOND;
        signal(contender, contender.claim().holder(), Signal.RESTORED);
        assertThat(lease.renewal.whyDoubted().getMessage())
                .isNotEqualTo(noMemory().getMessage());
        on(new Event.TimePassed(lease));
        List<Effect> effects = on(new Event.Renewed(lease, now, new Renewal.Renewed(longer)));
        assertThat(effects)
                .filteredOn(effect -> effect instanceof Effect.Report e && e.notice() instanceof Notice.Renewed)
                .singleElement()
                .satisfies(effect -> assertThat(((Notice.Renewed) ((Effect.Report) effect).notice()).delay())
                        .isZero());
    }

    @Test
    void a_grant_from_before_is_not_kept_and_reused() {
        machine = machine(1, new Keeping(() -> 0));
        Contender contender = machine.contender(RENEWED, NOWHERE, Nanos.FOREVER, now);
        on(new Event.Joined(contender));
        signal(contender, contender.claim().holder(), Signal.SUSPECT, Signal.RESTORED);
        HeldLease lease = granted(contender, now, true);
        on(new Event.GivenBack(lease, new ReleaseCall(NOWHERE)));
        now += 4 * SECOND;
        on(new Event.Joined(machine.contender(RENEWED, NOWHERE, Nanos.FOREVER, now)));
        assertThat(taken).doesNotContain(Transition.KEPT, Transition.REUSED);
    }

    @Test
    void a_renewal_that_is_answered_between_the_two_signals_is_not_believed() {
        Contender contender = joined(RENEWED);
        HolderId holder = contender.claim().holder();
        HeldLease lease = granted(contender, now, false);
        now += 10 * SECOND;
        on(new Event.TimePassed(lease));
        long sentAt = now;
        signal(contender, holder, Signal.SUSPECT);
        on(new Event.Renewed(lease, sentAt, new Renewal.Renewed(LEASE)));
        signal(contender, holder, Signal.RESTORED);
        assertThat(lease.life().state()).isEqualTo(LeaseLife.State.SUSPECT);
    }

    @Test
    void a_release_is_tried_for_as_long_as_an_extension_may_keep_the_lock() {
        machine = machine(Share.READ_WRITE, null);
        Contender contender = joined(FIXED.withShare(Share.WRITE));
        HeldLease writer = granted(contender, now, false);
        HeldLease reader = on(new Event.Lowering(writer, new LowerCall(Share.READ))).stream()
                .filter(Effect.CompleteLowering.class::isInstance)
                .map(effect -> Objects.requireNonNull(((Effect.CompleteLowering) effect).lease()))
                .findFirst()
                .orElseThrow();
        on(new Event.Extending(writer, Duration.ofHours(1)));
        on(new Event.GivenBack(reader, new ReleaseCall(NOWHERE)));
        PendingRelease release = on(new Event.ReleaseAnswered(reader, null, noMemory())).stream()
                .filter(Effect.Withdraw.class::isInstance)
                .map(effect -> ((Effect.Withdraw) effect).release())
                .findFirst()
                .orElseThrow();
        now += 6 * 60 * SECOND;
        on(new Event.PendingReleaseAnswered(release, noMemory()));
        assertThat(taken).doesNotContain(Transition.PENDING_GIVEN_UP);
    }

    private static BackendFailure noMemory() {
        return new BackendFailure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "no memory", null);
    }
}
