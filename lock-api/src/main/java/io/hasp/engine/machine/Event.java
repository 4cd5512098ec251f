package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.KeptGrant;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.lease.Timed;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.HolderId;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An event for a lock name within one client; it knows the step that it leads to. Moments are in the engine's nanoseconds. */
public sealed interface Event {
    /** Applies this event to the state of its lock name. Called by {@link LockMachine#on} only. */
    void apply(LockState lock);

    /** A caller requests the lock. */
    record Joined(Contender contender) implements Event {
        @Override
        public void apply(LockState lock) {
            AttemptSteps.joined(lock, contender);
        }
    }

    /** The caller sleeps until the outcome is there. */
    record Slept(Contender contender) implements Event {
        @Override
        public void apply(LockState lock) {
            AttemptSteps.slept(lock, contender);
        }
    }

    /** The caller was interrupted, cancelled its request, or cannot go on. */
    record GaveUp(Contender contender, Outcome outcome) implements Event {
        @Override
        public void apply(LockState lock) {
            AttemptSteps.gaveUp(lock, contender, outcome);
        }
    }

    /**
     * A request for the lock was answered or failed: one of the two.
     *
     * @param request the number of the request of its contender
     */
    record Answered(
            Contender contender,
            int request,
            long sentAt,
            @Nullable Attempt attempt,
            @Nullable BackendFailure failure) implements Event {
        @Override
        public void apply(LockState lock) {
            AttemptSteps.answered(lock, contender, request, sentAt, attempt, failure);
        }
    }

    /** A request for the lock was not sent, because its caller has left. */
    record Dropped(Contender contender) implements Event {
        @Override
        public void apply(LockState lock) {
            AttemptSteps.dropped(lock, contender);
        }
    }

    /** The backend sends unrequested news of a holder. */
    record Signalled(Contender contender, HolderId holder, Signal signal) implements Event {
        @Override
        public void apply(LockState lock) {
            AttemptSteps.signalled(lock, contender, holder, signal);
        }
    }

    /** The alarm of a subject is due. */
    record TimePassed(Timed subject) implements Event {
        @Override
        public void apply(LockState lock) {
            if (subject instanceof Contender contender) {
                AttemptSteps.alarmed(lock, contender);
            } else if (subject instanceof HeldLease lease) {
                LeaseSteps.timePassed(lock, lease);
            } else if (subject instanceof KeptGrant kept) {
                KeepSteps.timePassed(lock, kept);
            } else if (subject instanceof PendingRelease release) {
                lock.releases.timePassed(release);
            }
        }
    }

    /** The holder gives its lease back. */
    record GivenBack(HeldLease lease, ReleaseCall call) implements Event {
        @Override
        public void apply(LockState lock) {
            ReleaseSteps.givenBack(lock, lease, call);
        }
    }

    /** The release of a lease was answered or failed: one of the two. */
    record ReleaseAnswered(
            HeldLease lease,
            @Nullable Released found,
            @Nullable BackendFailure failure) implements Event {
        @Override
        public void apply(LockState lock) {
            ReleaseSteps.releaseAnswered(lock, lease, found, failure);
        }
    }

    /** A pending release was answered, or failed. */
    record PendingReleaseAnswered(
            PendingRelease release, @Nullable BackendFailure failure) implements Event {
        @Override
        public void apply(LockState lock) {
            lock.releases.answered(release, failure);
            if (failure != null) {
                WaitEndSteps.failBehind(lock, release, release.askedAt(), failure);
            }
        }
    }

    /** A renewal was answered. */
    record Renewed(HeldLease lease, long sentAt, Renewal renewal) implements Event {
        @Override
        public void apply(LockState lock) {
            LeaseSteps.renewed(lock, lease, sentAt, renewal);
            if (renewal instanceof Renewal.Unknown unknown && lease.present() == lease) {
                WaitEndSteps.failBehind(lock, lease, sentAt, unknown.why());
            }
        }
    }

    /** The holder of a share keeps only a part of it. */
    record Lowering(HeldLease lease, LowerCall call) implements Event {
        @Override
        public void apply(LockState lock) {
            LowerSteps.lower(lock, lease, call);
        }
    }

    /** A fixed lease is about to be extended. */
    record Extending(HeldLease lease, Duration asked) implements Event {
        @Override
        public void apply(LockState lock) {
            lock.took(Transition.EXTENDING);
            lease.present().asks(asked);
        }
    }

    /** The server confirmed a fixed lease for longer, in nanoseconds from {@code sentAt}, after so many interruptions of the backend. */
    record Extended(HeldLease lease, long sentAt, long asked, Renewal.Renewed renewed, int interruptions)
            implements Event {
        @Override
        public void apply(LockState lock) {
            LeaseSteps.extended(lock, lease, sentAt, asked, renewed, interruptions);
        }
    }

    /** The observers of a lease were notified of its end. */
    record Notified(HeldLease lease) implements Event {
        @Override
        public void apply(LockState lock) {
            LeaseSteps.notified(lock, lease);
        }
    }

    /** The floor of tokens was raised: tokens of the server up to this one end with their lease. */
    record FloorRaised(long serverToken) implements Event {
        @Override
        public void apply(LockState lock) {
            KeepSteps.floorRaised(lock, serverToken);
        }
    }

    /** A grant is kept no longer: its client wants the name as another kind. */
    record Unwatched(KeptGrant kept) implements Event {
        @Override
        public void apply(LockState lock) {
            KeepSteps.unwatched(lock, kept);
        }
    }

    /** The client closes: its waiters fail, and leases in use stay. */
    record Closing(RequestExecutor executor) implements Event {
        @Override
        public void apply(LockState lock) {
            CloseSteps.close(lock, executor);
        }
    }

    /** The client stops waiting for the work under its leases, and leaves them to it. */
    record Leaving() implements Event {
        @Override
        public void apply(LockState lock) {
            CloseSteps.leave(lock);
        }
    }

    /** The client closes, and gives back every lease, whether or not it is in use. */
    record GivingEverythingBack(RequestExecutor executor) implements Event {
        @Override
        public void apply(LockState lock) {
            CloseSteps.giveEverythingBack(lock, executor);
        }
    }

    /** The client has failed: its leases are lost. The last event. */
    record ClientFailed(String why) implements Event {
        @Override
        public void apply(LockState lock) {
            CloseSteps.clientFailed(lock, why);
        }
    }

    /** The client is closed: pending releases end with their lease or session. */
    record Closed() implements Event {
        @Override
        public void apply(LockState lock) {
            CloseSteps.closed(lock);
        }
    }
}
