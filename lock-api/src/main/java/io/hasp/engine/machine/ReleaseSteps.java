package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.KeptGrant;
import io.hasp.engine.lease.LeaseLife;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.lease.Timed;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Released;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The steps of {@link LockMachine} by which a lease begins and goes: to the next contender of this client, or back to the
 * server.
 */
final class ReleaseSteps {
    private static final LeaseLife.Event GIVEN_BACK = new LeaseLife.Event.GivenBack();

    private ReleaseSteps() {}

    /** A new lease. */
    static void hold(LockState lock, Contender contender, HeldLease lease) {
        lock.queue.beginning = contender;
        for (HeldLease older : lock.leases.excludedBy(lease)) {
            deny(lock, older);
        }
        WaitEndSteps.reportWaitEnd(lock, contender);
        contender.finish();
        lock.setAlarm(contender);
        lock.queue.leave(contender);
        lock.leases.put(lease);
        if (lock.kept != null) {
            replaceKept(lock, lock.kept, lease);
        }
        lock.failingSince = Timed.NEVER;
        lock.heldAt = lock.now;
        if (lock.closing != null) {
            lock.effects.add(new Effect.Complete(contender, Outcome.CLOSED));
            givenBack(lock, lease, new ReleaseCall(lock.closing));
        } else {
            if (lock.settings.observed()) {
                lock.effects.add(new Effect.Report(
                        new Notice.Acquired(lock.name, lock.now - contender.joinedAt, lease.token())));
            }
            lease.endAwaited = true;
            lock.setAlarm(lease);
            lock.effects.add(new Effect.Complete(contender, new Outcome.Acquired(lease)));
        }
        lock.queue.beginning = null;
        // Not before: this reads the lease, which may be over already, and its end is reported after its beginning.
        WaitEndSteps.learned(lock);
        lock.askNext();
    }

    /** Ends an older lease that seems alive: the server has granted the lock again. */
    private static void deny(LockState lock, HeldLease older) {
        LeaseSteps.advance(
                lock,
                older,
                new LeaseLife.Event.Denied("the server granted the lock to another holder of this client"));
    }

    /** The new lease stands on the kept grant, or on a newer one that makes the kept grant worthless. */
    private static void replaceKept(LockState lock, KeptGrant kept, HeldLease lease) {
        if (kept.is(lease.grant.claim().holder())) {
            KeepSteps.forget(lock, kept);
        } else {
            KeepSteps.end(lock, kept);
        }
    }

    /**
     * A contender joins while a grant is kept. Its lease begins on that grant, without a round trip, if the grant fits the contender, has a
     * token left and cannot have run out unnoticed. Otherwise the grant is given back in one flight with the contender's own request;
     * waiters on the server come first.
     */
    static void takeKept(LockState lock, KeptGrant kept, Contender contender) {
        if (contender.takes(kept.last) && kept.usable(lock.now)) {
            lock.took(Transition.REUSED);
            kept.keeping.reused(lock.name);
            begin(lock, contender, kept.last.reused(contender.terms, lock.now));
            return;
        }
        lock.took(Transition.RESTAMPED);
        if (contender.everSent()) {
            lock.queue.behind(contender, List.of(KeepSteps.end(lock, kept)));
            lock.ask(contender);
            return;
        }
        if (contender.waits()) {
            lock.queue.waiting.add(contender);
        }
        lock.leases.put(kept.last);
        transfer(lock, kept.last, contender, new ReleaseCall(contender.executor));
        KeepSteps.forget(lock, kept);
    }

    static void givenBack(LockState lock, HeldLease lease, ReleaseCall call) {
        LeaseLife.State before = LeaseSteps.advance(lock, lease, GIVEN_BACK);
        if (before == LeaseLife.State.RELEASED) {
            lock.took(Transition.RELEASED_TWICE);
            lock.effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.ALREADY_RELEASED));
        } else if (lease.life().state() == LeaseLife.State.LOST) {
            lock.took(Transition.RELEASED_LOST);
            LeaseSteps.returned(lock, lease);
            lock.effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.LOST));
        } else {
            lock.setAlarm(lease);
            apply(lock, lease, call);
        }
    }

    private static void apply(LockState lock, HeldLease lease, ReleaseCall call) {
        Contender next = lock.leases.nextOn(lease);
        switch (ReleasePolicy.of(lock, lease, next)) {
            case RETAIN -> {
                lock.took(Transition.RETAINED);
                lease.stay(lease.staysFor(lock.now));
                release(lock, lease, call);
            }
            case HAND_OFF -> {
                lock.took(Transition.HANDED_OFF);
                lock.effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.RELEASED));
                handOff(lock, lease, Objects.requireNonNull(next));
            }
            case TRANSFER -> {
                lock.took(Transition.TRANSFERRED);
                transfer(lock, lease, Objects.requireNonNull(next), call);
            }
            case KEEP -> {
                lock.effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.RELEASED));
                KeepSteps.keep(lock, lease, Objects.requireNonNull(lock.keeping));
            }
            case FREE -> {
                lock.took(Transition.RELEASED);
                release(lock, lease, call);
            }
        }
    }

    private static void release(LockState lock, HeldLease lease, ReleaseCall call) {
        lock.effects.add(new Effect.Release(lease));
        lease.release(call);
        lock.releases.unanswered++;
    }

    private static void transfer(LockState lock, HeldLease lease, Contender next, ReleaseCall call) {
        long wallClockAhead = lock.clockDifference();
        lock.effects.add(new Effect.Transfer(lease, next, lock.claimOf(next), next.nextRequest()));
        lease.release(call);
        lock.releases.unanswered++;
        lock.lookBack(next, lease);
        next.ask(lease, wallClockAhead, lock.floorsRaised);
        lock.queue.unanswered++;
        lock.setAlarm(next);
    }

    private static void handOff(LockState lock, HeldLease lease, Contender next) {
        lock.leases.moveUp(next, lease);
        lock.queue.settled(lease, null);
        if (next.mayBeOnServer()) {
            lock.releases.withdraw(next.claim(), next.claim().lease());
        }
        begin(lock, next, lease.successor(next.terms, lock.now));
    }

    /** Begins a lease on a grant that was here. */
    private static void begin(LockState lock, Contender next, HeldLease successor) {
        lock.effects.add(new Effect.Report(new Notice.HandedOff(lock.name, successor.token())));
        hold(lock, next, successor);
    }

    static void releaseAnswered(
            LockState lock, HeldLease lease, @Nullable Released found, @Nullable BackendFailure failure) {
        lock.releases.unanswered -= lease.releaseArrived();
        ReleaseCall call = Objects.requireNonNull(lease.releaseCall);
        if (failure != null) {
            lock.took(lease.stays() ? Transition.RETAINING_FAILED : Transition.RELEASE_FAILED);
            lock.releases.withdraw(lease);
            lock.effects.add(new Effect.FailRelease(call, failure));
            WaitEndSteps.failOverdue(lock, failure);
        } else if (found == Released.RELEASED) {
            lock.took(Transition.RELEASE_CONFIRMED);
            lock.effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.RELEASED));
            lock.queue.settled(lease, null);
        } else {
            lock.took(Transition.RELEASE_FOUND_LOST);
            lock.queue.settled(lease, null);
            if (!lease.kept()) {
                lease.foundLost();
                lock.effects.add(new Effect.Report(new Notice.Lost(
                        lock.name, lease.token(), Objects.requireNonNull(lease.loss()), Notice.Lost.ENDED_BEFORE)));
            }
            lock.effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.LOST));
        }
        LeaseSteps.ended(lock, lease);
    }
}
