package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** At most one lease. While it is there, no contender asks; otherwise the first one does. */
final class ExclusiveLease extends Leases {
    private @Nullable HeldLease holder;

    ExclusiveLease(LockState lock) {
        super(lock);
    }

    @Override
    @Nullable
    HeldLease holder() {
        return holder;
    }

    @Override
    boolean isEmpty() {
        return holder == null;
    }

    @Override
    List<HeldLease> all() {
        return holder == null ? List.of() : List.of(holder);
    }

    @Override
    @Nullable
    HeldLease of(HolderId id) {
        return holder != null && holder.grant.claim().holder().equals(id) ? holder : null;
    }

    @Override
    void put(HeldLease lease) {
        holder = lease;
    }

    @Override
    boolean remove(HeldLease lease) {
        boolean present = holder == lease;
        holder = present ? null : holder;
        return present;
    }

    @Override
    List<HeldLease> excludedBy(HeldLease lease) {
        return holder != null && holder.alive() ? List.of(holder) : List.of();
    }

    @Override
    boolean overtaken(Grant grant) {
        return false;
    }

    @Override
    boolean noneGivenUp() {
        return notifying == 0;
    }

    @Override
    boolean isGivenUp(HeldLease lease) {
        return !lease.alive();
    }

    @Override
    boolean firstAsksForAll() {
        return true;
    }

    @Override
    boolean maySend(Contender last) {
        return holder == null && lock.queue.first() == last;
    }

    @Override
    void askNext() {
        Contender first = lock.queue.first();
        if (first != null && !first.inFlight()) {
            lock.ask(first);
        }
    }

    @Override
    @Nullable
    Contender nextOn(HeldLease lease) {
        return holder == lease ? lock.queue.first() : null;
    }

    @Override
    public String toString() {
        return holder == null
                ? lock.kept == null ? "no lease" : "a grant that is kept"
                : "a lease that is " + holder.life().state();
    }
}
