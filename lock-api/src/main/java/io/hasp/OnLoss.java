package io.hasp;

/**
 * What happens to work that runs under a lease when the lease is lost. For {@link DistributedLock#call}, {@link DistributedLock#run},
 * {@link DistributedLock#callAsync} and their {@code try} forms; set by {@link LockOptions#onLoss} for a lock, or by
 * {@link ClientOptions#onLoss} for all of a client.
 */
public enum OnLoss {
    /** The options of the client decide, {@link ClientOptions#onLoss}: the default of a lock and of a {@code @Locked} method. */
    CLIENT,

    /** The work goes on, and the call ends with {@link LeaseLostException} when it is done. The default of a client. */
    CONTINUE,

    /**
     * The thread that works is interrupted, or the work's future is cancelled, when the client finds that the lease is lost. The
     * call ends with {@link LeaseLostException} as soon as the work does; what the work threw is suppressed in
     * it. After the call, the thread is not interrupted by it any more.
     *
     * <p>A lease is lost by its own clock before another client can be granted the lock, and the interrupt comes then: so
     * work that heeds interrupts stops in time to have been alone. It does not if the process stands still for longer than the margin
     * between the two clocks (a long garbage collection, a suspended machine), if the lock vanishes from the server (an
     * administrator deletes it, a failover loses it), or if the work ignores interrupts: only a fencing token protects then.
     *
     * <p>Work is interrupted as well when its client closes and {@link ClientOptions#closeWithin} is over, while the lease is still held: the
     * call then ends with what the work threw. A future is not cancelled then, since its work may go on, and its lock would be given back.
     * {@link LockClient#closeNow} gives the lease back and interrupts at once.
     *
     * <p>At the end of max hold or of a fixed lease the client gives the lock back only after the interrupt: as soon as the call ends, or
     * after that margin.
     *
     * <p>Work can't tell this interrupt from another one. If somebody else interrupts the thread after this did, and before the
     * call ends, one of the two is lost.
     */
    INTERRUPT
}
