package io.hasp.engine;

import io.hasp.spi.BackendFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps of {@link LockMachine} after an event that broke off for want of memory or stack. Nobody can tell how far it came,
 * so the name starts anew: those that wait hear of a failure, what is held is LOST, and all that may be on the server is given
 * back.
 */
final class RecoverySteps {
    private RecoverySteps() {}

    static void brokenOff(LockState lock, Event event, BackendFailure failure) {
        lock.took(Transition.BROKEN_OFF);
        arrived(lock, event);
        for (Contender contender : lock.waitingLastFirst()) {
            end(lock, contender, failure);
        }
        for (Contender contender : List.copyOf(lock.trying)) {
            end(lock, contender, failure);
        }
        endSubject(lock, contenderOf(event), failure);
        endSubject(lock, lock.beginning, failure);
        lock.beginning = null;
        if (lock.kept != null) {
            KeepSteps.end(lock, lock.kept);
        }
        List<HeldLease> present = lock.leasesHeld();
        HeldLease subject = leaseOf(event);
        if (subject != null) {
            end(lock, subject, failure);
        }
        for (HeldLease lease : present) {
            if (lease != subject) {
                end(lock, lease, failure);
            }
        }
        if (event instanceof Event.GivenBack e) {
            lock.effects.add(new Effect.FailRelease(e.call(), failure));
        } else if (event instanceof Event.Lowering e) {
            lock.effects.add(new Effect.CompleteLowering(e.call(), null));
        }
    }

    /** Whether it only repeats what it has done if it is applied again. */
    static boolean repeatable(Event event) {
        return event instanceof Event.OwedAnswered
                || event instanceof Event.Closing
                || event instanceof Event.Leaving
                || event instanceof Event.GivingEverythingBack
                || event instanceof Event.Closed
                || event instanceof Event.FloorRaised
                || (event instanceof Event.TimePassed e && e.subject() instanceof OwedRelease);
    }

    /** What it answers is not under way any more. */
    private static void arrived(LockState lock, Event event) {
        if (event instanceof Event.Answered e) {
            lock.unanswered -= e.contender().awaits(e.request()) ? e.contender().arrived() : 0;
            lock.requestArrived(e.contender());
        } else if (event instanceof Event.Dropped e) {
            lock.unanswered -= e.contender().arrived();
            lock.requestArrived(e.contender());
        } else if (event instanceof Event.ReleaseAnswered e) {
            lock.releasing -= e.lease().releaseArrived();
        }
    }

    private static @Nullable Contender contenderOf(Event event) {
        if (event instanceof Event.Joined e) {
            return e.contender();
        } else if (event instanceof Event.Answered e) {
            return e.contender();
        } else if (event instanceof Event.Slept e) {
            return e.contender();
        } else if (event instanceof Event.GaveUp e) {
            return e.contender();
        } else if (event instanceof Event.Dropped e) {
            return e.contender();
        } else if (event instanceof Event.Signalled e) {
            return e.contender();
        }
        return event instanceof Event.TimePassed e && e.subject() instanceof Contender contender ? contender : null;
    }

    private static @Nullable HeldLease leaseOf(Event event) {
        if (event instanceof Event.GivenBack e) {
            return e.lease();
        } else if (event instanceof Event.ReleaseAnswered e) {
            return e.lease();
        } else if (event instanceof Event.Renewed e) {
            return e.lease();
        } else if (event instanceof Event.Lowering e) {
            return e.lease();
        } else if (event instanceof Event.Extending e) {
            return e.lease();
        } else if (event instanceof Event.Extended e) {
            return e.lease();
        } else if (event instanceof Event.Told e) {
            return e.lease();
        }
        return event instanceof Event.TimePassed e && e.subject() instanceof HeldLease lease ? lease : null;
    }

    private static void end(LockState lock, Contender contender, BackendFailure failure) {
        if (contender.ended()) {
            lock.leave(contender);
        } else {
            WaitEndSteps.fail(lock, contender, failure);
        }
    }

    /** It may have ended without anybody having been told. */
    private static void endSubject(LockState lock, @Nullable Contender contender, BackendFailure failure) {
        if (contender != null) {
            end(lock, contender, failure);
            if (!contender.leased()) {
                lock.owe(contender.claim(), contender.claim().lease());
            }
            lock.effects.add(new Effect.Complete(contender, new Outcome.Failed(failure)));
        }
    }

    private static void end(LockState lock, HeldLease lease, BackendFailure failure) {
        lock.telling -= lease.endTelling();
        if (lease.alive()) {
            LeaseSteps.advance(lock, lease, new LeaseLife.Event.Denied(String.valueOf(failure.getMessage())));
        }
        lock.telling -= lease.endTelling();
        if (lease.life().state() == LeaseLife.State.LOST && !lease.lossReported) {
            LeaseSteps.reportLoss(lock, lease, lease.life());
        } else if (!lease.alive()) {
            LeaseSteps.reportRelease(lock, lease);
        }
        lease.noteState();
        lock.effects.add(new Effect.Tell(lease, false));
        ReleaseCall call = lease.releaseCall;
        if (call != null) {
            lock.effects.add(new Effect.FailRelease(call, failure));
        }
        lock.owe(lease);
        lock.setAlarm(lease);
        LeaseSteps.ended(lock, lease);
    }
}
