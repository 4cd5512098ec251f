package io.hasp.engine.lease;

import io.hasp.spi.HolderId;

/**
 * A grant that stays with its client after its last lease ended, without a use: part of a {@code LockMachine}'s state. It is not
 * renewed, so others get the lock at its deadline at the latest, whatever this client hears.
 */
public final class KeptGrant extends Timed {
    /** As long as a wall clock may have been set meanwhile without costing a round trip. */
    private static final long CLOCKS_AGREE = 1_000_000_000;

    /** The last lease that stood on it. */
    public final HeldLease last;

    /** When it is given back. */
    public final long until;

    public final Keeping keeping;

    public KeptGrant(HeldLease last, long until, Keeping keeping) {
        this.last = last;
        this.until = until;
        this.keeping = keeping;
    }

    @Override
    public boolean mayComeEarly() {
        return true;
    }

    public boolean is(HolderId holder) {
        return last.grant.claim().holder().equals(holder);
    }

    /**
     * Whether a lease may begin on it now: far from its deadline, by both clocks. They are compared since the request that the deadline
     * counts from: the machine may have been suspended while the lock was held.
     */
    public boolean usable(long now) {
        return last.mayHaveSuccessor(now)
                && Math.abs(keeping.clockDifference() - last.renewal.clockDifference()) <= CLOCKS_AGREE;
    }
}
