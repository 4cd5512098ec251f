package io.hasp;

/** Describes a {@link Lease} as far as its client knows. */
public enum LeaseState {
    /** Confirmed by the backend, and its local deadline has not passed. */
    HELD,
    /**
     * Can't be confirmed at present: the connection is suspended or a renewal failed. The local deadline has not passed, so no other client
     * can hold the lock yet on a well-behaved server. Returns to HELD or becomes LOST.
     */
    SUSPECT,
    /** The deadline passed unconfirmed, or the backend reports that the lock is gone. Another client may hold it. Final. */
    LOST,
    /** Released by its holder, or by {@link LockClient#closeNow}. Final. */
    RELEASED
}
