package io.hasp.engine;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Released;
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
        lock.beginning = contender;
        // Before one is replaced: if this breaks off, the recovery ends it.
        if (lock.shared) {
            lock.excludedBy(lease).forEach(older -> deny(lock, older));
        } else if (lock.holder != null && lock.holder.alive()) {
            deny(lock, lock.holder);
        }
        contender.finish();
        lock.setAlarm(contender);
        lock.waiting.remove(contender);
        lock.put(lease);
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
            lock.setAlarm(lease);
            lock.effects.add(new Effect.Complete(contender, new Outcome.Acquired(lease)));
        }
        lock.beginning = null;
        // Not before: it looks at the lease, which may be over already, and its end is told after its beginning.
        WaitEndSteps.learned(lock);
        lock.askNext();
    }

    /** It believes to be alive still. The server knows better: it granted the lock again. */
    private static void deny(LockState lock, HeldLease older) {
        LeaseSteps.advance(
                lock,
                older,
                new LeaseLife.Event.Denied("the server granted the lock to another holder of this client"));
    }

    static void givenBack(LockState lock, HeldLease lease, ReleaseCall call) {
        LeaseLife.State before = LeaseSteps.advance(lock, lease, GIVEN_BACK);
        if (before == LeaseLife.State.RELEASED) {
            lock.took(Transition.RELEASED_TWICE);
            lock.effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.ALREADY_RELEASED));
        } else if (lease.life().state() == LeaseLife.State.LOST) {
            lock.took(Transition.RELEASED_LOST);
            lock.effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.LOST));
        } else {
            lock.setAlarm(lease);
            passOn(lock, lease, call);
        }
    }

    /**
     * To the next local contender without a round trip if that is allowed; else back to the server, in one flight with the next
     * contender's first request if it has not asked yet. One that waits on the server under a holder id of its own asks again for
     * itself: a second request of that id would queue it behind itself.
     */
    private static void passOn(LockState lock, HeldLease lease, ReleaseCall call) {
        Contender next = lock.holder == lease ? lock.waiting.peekFirst() : null;
        if (next != null
                && next.takes(lease)
                && lease.handOffAllowed(lock.now)
                && lease.grant.token() > lock.tokenFloor) {
            lock.took(Transition.HANDED_OFF);
            lock.effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.RELEASED));
            handOff(lock, lease, next);
            return;
        }
        if (next != null && !next.everSent()) {
            lock.took(Transition.TRANSFERRED);
            lock.effects.add(new Effect.Transfer(lease, next, next.claim()));
            lease.release(call);
            lock.releasing++;
            next.ask(lease);
            lock.unanswered++;
            lock.setAlarm(next);
        } else {
            lock.took(Transition.RELEASED);
            lock.effects.add(new Effect.Release(lease));
            lease.release(call);
            lock.releasing++;
        }
    }

    private static void handOff(LockState lock, HeldLease lease, Contender next) {
        if (next.mayBeOnServer()) {
            lock.owe(next.claim(), next.claim().lease());
        }
        HeldLease successor = lease.successor(next.terms, lock.now);
        lock.effects.add(new Effect.Report(new Notice.HandedOff(lock.name, successor.token())));
        hold(lock, next, successor);
    }

    static void releaseAnswered(
            LockState lock, HeldLease lease, @Nullable Released found, @Nullable BackendFailure failure) {
        lock.releasing -= lease.releaseArrived();
        ReleaseCall call = Objects.requireNonNull(lease.releaseCall);
        if (failure != null) {
            lock.took(Transition.RELEASE_FAILED);
            lock.owe(lease.grant.claim(), lease.longestAsked());
            lock.effects.add(new Effect.FailRelease(call, failure));
            WaitEndSteps.failOverdue(lock, failure);
        } else if (found == Released.RELEASED) {
            lock.took(Transition.RELEASE_CONFIRMED);
            lock.effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.RELEASED));
            lock.heldAt = lock.now;
            WaitEndSteps.learned(lock);
        } else {
            lock.took(Transition.RELEASE_FOUND_LOST);
            lease.foundLost();
            lock.effects.add(
                    new Effect.Report(new Notice.Lost(lock.name, lease.token(), Objects.requireNonNull(lease.loss()))));
            lock.effects.add(new Effect.CompleteRelease(call, ReleaseCall.Found.LOST));
        }
        LeaseSteps.ended(lock, lease);
    }
}
