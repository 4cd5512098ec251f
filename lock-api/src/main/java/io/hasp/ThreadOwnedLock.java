package io.hasp;

import io.hasp.spi.LockName;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A {@link DistributedLock} as a {@link Lock}: owned by a thread, reentrant with a local hold count, one hold on the server.
 * Every view of the same name and client counts together.
 */
final class ThreadOwnedLock implements Lock {
    private final DistributedLock lock;
    private final LockName name;
    private final ThreadHolds holds;

    ThreadOwnedLock(DistributedLock lock, LockName name, ThreadHolds holds) {
        this.lock = lock;
        this.name = name;
        this.holds = holds;
    }

    @Override
    public void lock() {
        if (!reentered()) {
            holds.begin(name, lock.acquireUninterruptibly());
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (!reentered()) {
            holds.begin(name, lock.acquire());
        }
    }

    @Override
    public boolean tryLock() {
        return reentered() || began(lock.tryAcquire());
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return reentered() || began(lock.tryAcquire(Duration.ofNanos(Math.max(0, unit.toNanos(time)))));
    }

    private boolean began(Optional<Lease> lease) {
        lease.ifPresent(held -> holds.begin(name, held));
        return lease.isPresent();
    }

    /** Counts one more hold of the same lease; a lease that may be gone is no ground to stand on. */
    private boolean reentered() {
        ThreadHolds.Hold hold = holds.mine(name);
        if (hold == null) {
            return false;
        }
        LeaseState state = hold.lease.state();
        if (state != LeaseState.HELD) {
            throw illegal("can't re-enter lock '" + name + "': its lease is " + state, hold.lease.loss());
        }
        hold.again();
        return true;
    }

    @Override
    public void unlock() {
        ThreadHolds.Hold hold = holds.mine(name);
        if (hold == null) {
            throw new IllegalMonitorStateException("lock '" + name + "' is not held by thread '"
                    + Thread.currentThread().getName() + "'");
        }
        boolean held = hold.lease.state() != LeaseState.LOST && hold.lease.state() != LeaseState.RELEASED;
        if (!hold.isLast()) {
            hold.less();
        } else {
            holds.end(name);
            held &= hold.lease.release() == ReleaseResult.RELEASED;
        }
        if (!held && hold.lease.loss() == null) {
            // Nobody else has this lease, so its client gave it back.
            throw illegal(
                    "lock '" + name + "' was released before it was unlocked: its lock client was closed",
                    new ClientClosedException("the lock client was closed"));
        }
        if (!held) {
            throw illegal("lock '" + name + "' was lost before it was unlocked", hold.lease.loss());
        }
    }

    private static IllegalMonitorStateException illegal(String message, @Nullable LockException cause) {
        IllegalMonitorStateException failure = new IllegalMonitorStateException(message);
        failure.initCause(cause);
        return failure;
    }

    /** There are no conditions: a signal could not reach a waiter in another process. */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a distributed lock has no conditions");
    }

    @Override
    public String toString() {
        return "ThreadOwnedLock[" + name + "]";
    }
}
