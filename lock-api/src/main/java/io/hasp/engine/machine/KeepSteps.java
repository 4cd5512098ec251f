package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.Keeping;
import io.hasp.engine.lease.KeptGrant;
import io.hasp.engine.lease.Timed;
import io.hasp.spi.Signal;

/**
 * The steps of {@link LockMachine} with a grant that is kept unused: its beginning, and its end without a use. No contender of this client
 * waits while there is one.
 */
final class KeepSteps {
    private static final int TOGETHER = 16;

    private KeepSteps() {}

    /** Keeps the grant of a lease that was given back. */
    static void keep(LockState lock, HeldLease lease, Keeping keeping) {
        lock.took(Transition.KEPT);
        KeptGrant kept = new KeptGrant(lease, lease.keptUntil(lock.now), keeping);
        lease.keep();
        lock.kept = kept;
        lock.leases.remove(lease);
        if (lock.settings.observed()) {
            lock.effects.add(new Effect.Report(new Notice.Kept(lock.name, lease.token(), kept.until - lock.now)));
        }
        lock.setAlarm(kept, kept.until);
    }

    /** Gives the grant back to the server. */
    static PendingRelease end(LockState lock, KeptGrant kept) {
        PendingRelease release = lock.releases.withdraw(kept.last.grant.claim(), kept.last.longestAsked());
        forget(lock, kept);
        return release;
    }

    /** Removes the grant: a new lease or the server has it. */
    static void forget(LockState lock, KeptGrant kept) {
        lock.setAlarm(kept, Timed.NEVER);
        lock.kept = null;
    }

    static void signalled(LockState lock, KeptGrant kept, Signal signal) {
        switch (signal) {
            case WANTED -> {
                lock.took(Transition.RECALLED_IDLE);
                if (lock.settings.observed()) {
                    lock.effects.add(new Effect.Report(new Notice.Recalled(lock.name, kept.last.token(), false)));
                }
                kept.keeping.recalledIdle(lock.name);
                end(lock, kept);
            }
            // A connection that is back was gone, and with it perhaps a recall.
            case SUSPECT, RESTORED, LOST -> {
                lock.took(Transition.KEPT_DOUBTED);
                end(lock, kept);
            }
            case MAYBE_FREE -> lock.took(Transition.SIGNAL_IGNORED);
        }
    }

    /** Grants that are due soon end together: one tick for many. */
    static void timePassed(LockState lock, KeptGrant kept) {
        if (lock.kept == kept && lock.now >= kept.until - lock.settings.keep() / TOGETHER) {
            lock.took(Transition.KEPT_LONG_ENOUGH);
            end(lock, kept);
        }
    }

    static void floorRaised(LockState lock, long serverToken) {
        lock.took(Transition.FLOOR_RAISED);
        lock.tokenFloor = Math.max(lock.tokenFloor, serverToken);
        lock.floorsRaised++;
        if (lock.kept != null && lock.kept.last.grant.token() <= lock.tokenFloor) {
            end(lock, lock.kept);
        }
    }

    /** Its client wants the name as another kind. */
    static void unwatched(LockState lock, KeptGrant kept) {
        if (lock.kept == kept) {
            lock.took(Transition.KEPT_LONG_ENOUGH);
            end(lock, kept);
        }
    }
}
