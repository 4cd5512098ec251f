package io.hasp;

/** What is known locally about a {@link Lease}. */
public enum LeaseState {
    /** Confirmed by the backend, and its local deadline has not passed. */
    HELD,
    /**
     * Can't be confirmed at present: the connection is suspended or a renewal failed. The local deadline has not passed, so
     * nobody else can hold the lock yet on a well-behaved server. Returns to HELD or becomes LOST.
     */
    SUSPECT,
    /** The deadline passed unconfirmed, or the backend says that the lock is gone. Another may hold it. Final. */
    LOST,
    /** Given back by its holder, or by {@link LockClient#closeNow}. Final. */
    RELEASED
}
