package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import org.jspecify.annotations.Nullable;

/** The use of a grant after its holder has given its lease back. The first one that is possible applies, in this order. */
enum ReleasePolicy {
    /** The server keeps the lock taken for a while. */
    RETAIN,
    /** The next contender takes over the grant, without a round trip. */
    HAND_OFF,
    /** The release travels with the first request of the next contender. */
    TRANSFER,
    /** This client keeps the grant, unused. */
    KEEP,
    /** The server gets the grant back. */
    FREE;

    /** The policy for a lease that was given back; {@code next} is the contender that may take over its grant. */
    static ReleasePolicy of(LockState lock, HeldLease lease, @Nullable Contender next) {
        if (lease.staysFor(lock.now) > 0) {
            return RETAIN;
        }
        if (next == null) {
            return isKept(lock, lease) ? KEEP : FREE;
        }
        if (isHandedOff(lock, lease, next)) {
            return HAND_OFF;
        }
        return isTransferred(lock, next) ? TRANSFER : FREE;
    }

    private static boolean isKept(LockState lock, HeldLease lease) {
        return lock.keeping != null
                && lease.keepAllowed(lock.now)
                && lock.closing == null
                && lock.leases.holder() == lease
                && lease.grant.token() > lock.tokenFloor;
    }

    private static boolean isHandedOff(LockState lock, HeldLease lease, Contender next) {
        return next.takes(lease) && lease.handOffAllowed(lock.now) && lease.grant.token() > lock.tokenFloor;
    }

    /** A contender that waits on the server asks again by itself: a second request of its holder id would queue it behind itself. */
    private static boolean isTransferred(LockState lock, Contender next) {
        return lock.leases.firstAsksForAll() && !next.everSent();
    }
}
