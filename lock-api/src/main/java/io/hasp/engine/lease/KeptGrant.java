package io.hasp.engine.lease;

import io.hasp.spi.HolderId;

/**
 * A grant that stays with its client, unused, after its last lease: part of the state of a {@code LockMachine}. It is not renewed, so other
 * clients get the lock at its deadline at the latest, whatever this client learns.
 */
public final class KeptGrant extends Timed {
    /** A wall clock that was set by as much costs no round trip. */
    private static final long CLOCKS_AGREE = 1_000_000_000;

    public final HeldLease last;

    /** The moment when it is given back. */
    public final long until;

    public final Keeping keeping;

    public KeptGrant(HeldLease last, long until, Keeping keeping) {
        this.last = last;
        this.until = until;
        this.keeping = keeping;
    }

    @Override
    public long early() {
        return NEVER;
    }

    public boolean is(HolderId holder) {
        return last.grant.claim().holder().equals(holder);
    }

    /**
     * True if a lease may begin on it now: both clocks say that its deadline is far. The clocks are compared since the request from which
     * the deadline counts, because the machine may have been suspended while the lock was held.
     */
    public boolean usable(long now) {
        return last.mayHaveSuccessor(now)
                && Math.abs(keeping.clockDifference() - last.renewal.clockDifference()) <= CLOCKS_AGREE;
    }
}
