package io.hasp.examples.moving;

import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LeaseFunction;

/**
 * Moves a service from one lock backend to another: its instances acquire both locks, always in the same order. They
 * exclude instances that still use the old lock alone, and later those that use the new lock alone. Each lock's tokens
 * are kept above the other's, so that the protected store always sees larger tokens.
 *
 * <ol>
 * <li>Deploy this. Instances with the old lock alone may still run.
 * <li>When none of those is left, deploy the new lock alone. Instances with this may still run.
 * </ol>
 */
public final class BothLocks {
    private final DistributedLock before;
    private final DistributedLock after;

    /**
     * Two locks for one purpose.
     *
     * @param before the lock that is being left
     * @param after the lock that the service moves to
     */
    public BothLocks(DistributedLock before, DistributedLock after) {
        this.before = before;
        this.after = after;
    }

    /**
     * Runs work under both locks.
     *
     * @param work gets the lease of the new lock, whose token is larger than all tokens that were used before
     * @param <T> what it gives
     * @param <X> what it throws
     * @return what it gave
     * @throws InterruptedException if interrupted while waiting for a lock
     * @throws X what the work throws
     */
    public <T, X extends Exception> T call(LeaseFunction<T, X> work) throws X, InterruptedException {
        try (Lease old = before.acquire()) {
            after.raiseTokenFloor(old.fencingToken());
            try (Lease now = after.acquire()) {
                before.raiseTokenFloor(now.fencingToken());
                T value = work.apply(now);
                old.ensureHeld();
                return value;
            }
        }
    }
}
