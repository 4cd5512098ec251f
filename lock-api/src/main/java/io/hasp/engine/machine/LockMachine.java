package io.hasp.engine.machine;

import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.Keeping;
import io.hasp.engine.lease.KeptGrant;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.lease.Timed;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.HolderId;
import io.hasp.spi.Renewal;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of one lock name in one client, and the one method that changes it. No lock, clock, thread, future or
 * I/O in it: it takes an event and the time, and says what is to be done. Not thread-safe; its {@code LockDriver} applies one
 * event at a time. Each step is a row of the table in docs/engine.md.
 *
 * <p>Contenders are served first come, first served. Only the first talks to the server, and only while no lease of this client
 * is alive: that alone removes the herd. A contender without a wait passes by the others, and asks once. Of a lock that several
 * may share, the first few talk to the server at once, each with a place of its own there: with one at a time, those of another
 * client would get between two that can enter together.
 *
 * <p>The steps are grouped by what they are about, and each group uses only those before it: {@link LeaseSteps},
 * {@link WaitEndSteps}, {@link KeepSteps}, {@link ReleaseSteps}, {@link AttemptSteps}.
 */
public final class LockMachine {
    private final NameAndCapacity about;
    private final LockState lock;

    public LockMachine(
            NameAndCapacity about, EngineSettings settings, Supplier<HolderId> holderIds, Consumer<Transition> trace) {
        this(about, settings, holderIds, trace, null);
    }

    /** One that keeps grants, unless {@code keeping} is null. */
    public LockMachine(
            NameAndCapacity about,
            EngineSettings settings,
            Supplier<HolderId> holderIds,
            Consumer<Transition> trace,
            @Nullable Keeping keeping) {
        this.about = about;
        lock = new LockState(about, settings, holderIds, trace, keeping);
    }

    public NameAndCapacity about() {
        return about;
    }

    /** Whether nothing is left to do: whatever comes later may begin anew. */
    public boolean idle() {
        return lock.idle();
    }

    /** What it knows, for people who look for a fault. */
    @Override
    public String toString() {
        return lock.toString();
    }

    /** A contender that may join. */
    public Contender contender(LeaseTerms terms, RequestExecutor executor, long wait, long joinedAt) {
        return new Contender(
                Contender.claim(lock.name, lock.holderIds.get(), terms, wait), terms, executor, joinedAt, wait);
    }

    @Nullable
    public KeptGrant kept() {
        return lock.kept;
    }

    /** The lease that stands in everybody's way; null if there is none, as for a shared lock. */
    @Nullable
    public HeldLease holder() {
        return lock.holder;
    }

    /** The leases that are in use. */
    public List<HeldLease> leasesInUse() {
        return lock.leasesHeld().stream().filter(HeldLease::alive).toList();
    }

    /** Whether nothing but leases in use is left to do. */
    public boolean answered() {
        return lock.answered() && lock.leasesHeld().stream().allMatch(HeldLease::alive);
    }

    /** Whether that lease is the present one of its holder id. */
    public boolean has(HeldLease lease) {
        return lock.leaseOf(lease.grant.claim().holder()) == lease;
    }

    /** Applies an event; adds what is to be done to {@code to}, in order. */
    public void on(Event event, long at, List<Effect> to) {
        lock.now = at;
        lock.effects = to;
        if (event instanceof Event.Joined e) {
            AttemptSteps.joined(lock, e.contender());
        } else if (event instanceof Event.Answered e) {
            answered(e);
        } else if (event instanceof Event.GivenBack e) {
            ReleaseSteps.givenBack(lock, e.lease(), e.call());
        } else if (event instanceof Event.ReleaseAnswered e) {
            ReleaseSteps.releaseAnswered(lock, e.lease(), e.found(), e.failure());
        } else if (event instanceof Event.Slept e) {
            AttemptSteps.slept(lock, e.contender());
        } else if (event instanceof Event.TimePassed e) {
            timePassed(e.subject());
        } else if (event instanceof Event.Signalled e) {
            AttemptSteps.signalled(lock, e.contender(), e.holder(), e.signal());
        } else if (event instanceof Event.Renewed e) {
            LeaseSteps.renewed(lock, e.lease(), e.sentAt(), e.renewal());
            if (e.renewal() instanceof Renewal.Unknown unknown && e.lease().present() == e.lease()) {
                WaitEndSteps.failBehind(lock, e.lease(), unknown.why());
            }
        } else {
            onRare(event);
        }
        if (lock.takeSettled()) {
            AttemptSteps.goOnBehind(lock);
        }
    }

    private void onRare(Event event) {
        if (event instanceof Event.GaveUp e) {
            lock.took(Transition.GAVE_UP);
            WaitEndSteps.finish(lock, e.contender(), e.outcome());
        } else if (event instanceof Event.Dropped e) {
            AttemptSteps.dropped(lock, e.contender());
        } else if (event instanceof Event.OwedAnswered e) {
            lock.owedAnswered(e.owed(), e.failure());
            if (e.failure() != null) {
                WaitEndSteps.failBehind(lock, e.owed(), e.failure());
            }
        } else if (event instanceof Event.Lowering e) {
            LowerSteps.lower(lock, e.lease(), e.call());
        } else if (event instanceof Event.Extending e) {
            lock.took(Transition.EXTENDING);
            e.lease().present().asks(e.asked());
        } else if (event instanceof Event.Extended e) {
            LeaseSteps.extended(lock, e);
        } else if (event instanceof Event.Told e) {
            LeaseSteps.told(lock, e.lease());
        } else if (event instanceof Event.FloorRaised e) {
            lock.took(Transition.FLOOR_RAISED);
            lock.tokenFloor = Math.max(lock.tokenFloor, e.serverToken());
            lock.floorsRaised++;
            if (lock.kept != null && lock.kept.last.grant.token() <= lock.tokenFloor) {
                KeepSteps.end(lock, lock.kept);
            }
        } else if (event instanceof Event.Unwatched e) {
            KeepSteps.unwatched(lock, e.kept());
        } else if (event instanceof Event.Closing e) {
            close(e.executor());
        } else if (event instanceof Event.Leaving) {
            lock.took(Transition.LEAVING);
            lock.leasesHeld().forEach(lease -> LeaseSteps.leave(lock, lease));
        } else if (event instanceof Event.GivingEverythingBack e) {
            giveEverythingBack(e.executor());
        } else if (event instanceof Event.ClientFailed e) {
            clientFailed(e.why());
        } else {
            closed();
        }
    }

    /** Relies on no more than it must: an event may have broken off in the middle. Those that wait fail elsewhere. */
    private void clientFailed(String why) {
        lock.waiting.forEach(contender -> WaitEndSteps.reportWaitEnd(lock, contender));
        lock.trying.forEach(contender -> WaitEndSteps.reportWaitEnd(lock, contender));
        lock.leasesHeld().forEach(lease -> LeaseSteps.lostByFailure(lock, lease, why));
        lock.kept = null;
        lock.took(Transition.CLIENT_FAILED);
    }

    private void answered(Event.Answered answer) {
        if (answer.contender().awaits(answer.request())) {
            AttemptSteps.answered(lock, answer.contender(), answer.sentAt(), answer.attempt(), answer.failure());
        } else {
            // Its stage completes twice. By now its holder id may be another's, in the queue or with a lease.
            lock.took(Transition.ANSWERED_AGAIN);
        }
    }

    private void timePassed(Timed subject) {
        if (subject instanceof Contender contender) {
            contender.alarm = Timed.NEVER;
            AttemptSteps.timePassed(lock, contender);
            lock.setAlarm(contender);
        } else if (subject instanceof HeldLease lease) {
            LeaseSteps.timePassed(lock, lease);
            lock.setAlarm(lease);
        } else if (subject instanceof KeptGrant kept) {
            KeepSteps.timePassed(lock, kept);
        } else if (subject instanceof OwedRelease due && due.pauses() && lock.owed.contains(due)) {
            lock.took(Transition.OWED_AGAIN);
            lock.effects.add(new Effect.Withdraw(due));
            due.asksAt(lock.now);
            due.alarm = Timed.NEVER;
        }
    }

    private void close(RequestExecutor executor) {
        lock.took(Transition.CLOSING);
        if (lock.closing == null) {
            lock.closing = executor;
        }
        for (Contender contender : List.copyOf(lock.waiting)) {
            WaitEndSteps.finish(lock, contender, Outcome.CLOSED);
        }
        for (Contender contender : List.copyOf(lock.trying)) {
            WaitEndSteps.finish(lock, contender, Outcome.CLOSED);
        }
        if (lock.kept != null) {
            KeepSteps.end(lock, lock.kept);
        }
    }

    private void giveEverythingBack(RequestExecutor executor) {
        lock.took(Transition.GIVING_EVERYTHING_BACK);
        close(executor);
        for (HeldLease lease : lock.leasesHeld()) {
            if (lease.alive()) {
                lease.endByClose();
                ReleaseSteps.givenBack(lock, lease, new ReleaseCall(executor));
            }
        }
    }

    private void closed() {
        lock.took(Transition.CLOSED);
        lock.closed = true;
        for (OwedRelease release : List.copyOf(lock.owed)) {
            lock.setAlarm(release, Timed.NEVER);
        }
    }
}
