package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one client on one lock, and the rule by which contenders ask beside them. An exclusive lock and a shared one differ only
 * here. Not thread-safe.
 */
abstract sealed class Leases permits ExclusiveLease, SharedLeases {
    final LockState lock;

    /** The number of ended leases whose observers are being notified. */
    int notifying;

    Leases(LockState lock) {
        this.lock = lock;
    }

    static Leases of(LockState lock, NameAndCapacity about) {
        return about.shared() ? new SharedLeases(lock, about.semaphore()) : new ExclusiveLease(lock);
    }

    /** The lease that keeps every contender of this client from asking; null if there is none, as for a shared lock. */
    @Nullable
    HeldLease holder() {
        return null;
    }

    abstract boolean isEmpty();

    abstract List<HeldLease> all();

    /** The lease of a holder id; null if it has none. */
    abstract @Nullable HeldLease of(HolderId id);

    /** Adds a lease, in the place of an earlier one of its holder id if there is one. */
    abstract void put(HeldLease lease);

    /** Removes a lease; false if it was not there. */
    abstract boolean remove(HeldLease lease);

    /** The leases that are alive, were granted before that one and leave no room for it. */
    abstract List<HeldLease> excludedBy(HeldLease lease);

    /** True if the answer with that grant is late: a lease that leaves no room for it was granted after it. */
    abstract boolean overtaken(Grant grant);

    /** True if no lease can be given up, without a look at each. */
    abstract boolean noneGivenUp();

    /** True if the server may have more than the lease is. */
    abstract boolean isGivenUp(HeldLease lease);

    /** True if the first contender asks on behalf of all; false if each asks for itself. */
    abstract boolean firstAsksForAll();

    /** True if a contender that has just joined asks at once. */
    abstract boolean maySend(Contender last);

    /** Makes the contenders ask whose turn it is, and that do not ask already. Called only while no {@link #holder()} is in the way. */
    abstract void askNext();

    /** The contender that may take over the grant of a lease that is given back; null if there is none. */
    abstract @Nullable Contender nextOn(HeldLease lease);

    /** The contender takes over the grant: its place on the server, if it has one, goes to those behind it. */
    void moveUp(Contender first, HeldLease lease) {}
}
