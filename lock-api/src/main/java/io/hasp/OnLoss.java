package io.hasp;

/**
 * Sets the reaction of work to the loss of its lease. Applies to {@link DistributedLock#call}, {@link DistributedLock#run},
 * {@link DistributedLock#callAsync} and their {@code try} forms; set by {@link LockOptions#onLoss} for a lock, or by
 * {@link ClientOptions#onLoss} for all locks of a client.
 */
public enum OnLoss {
    /** Follows the options of the client, {@link ClientOptions#onLoss}: the default of a lock and of a {@code @Locked} method. */
    CLIENT,

    /** Lets the work continue; the call ends with {@link LeaseLostException} when the work is done. The default of a client. */
    CONTINUE,

    /**
     * Interrupts the thread that works, or cancels the work's future, when the client finds that the lease is lost. The call ends with
     * {@link LeaseLostException} as soon as the work does; an exception of the work is suppressed in it. After the call, no interrupt comes
     * from it.
     *
     * <p>The client's own clock ends a lease, and interrupts the work, before another client can be granted the lock. So work that heeds
     * interrupts stops in time. Not guaranteed, so that only a fencing token protects: if the process stands still for longer than the
     * margin between the two clocks (a long garbage collection, a suspended machine), if the lock vanishes from the server (an
     * administrator deletes it, a failover loses it), or if the work ignores interrupts.
     *
     * <p>Work is interrupted as well when its client closes and {@link ClientOptions#closeWithin} is over, while the lease is still held:
     * the call then ends with the exception of the work. A future is not cancelled then, since its work may go on while its lock would be
     * released. {@link LockClient#closeNow} releases the lease and interrupts at once.
     *
     * <p>At the end of max hold or of a fixed lease the client releases the lock only after the interrupt: as soon as the call ends, or
     * after that margin.
     *
     * <p>Work can't distinguish this interrupt from another one. If other code interrupts the thread after this interrupt, and before the
     * call ends, one of the two is lost.
     */
    INTERRUPT
}
