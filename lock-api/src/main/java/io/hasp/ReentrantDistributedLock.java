package io.hasp;

import io.hasp.spi.LockName;
import io.hasp.spi.Share;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * Adapts a {@link DistributedLock} to code that uses {@link Lock}: owned by a thread, reentrant with a local hold count, one hold on the
 * server. Created by {@link DistributedLock#asReentrantLock}. All views of the same name and client count together. Thread-safe.
 *
 * <p>Re-entry keeps the thread's lease and token, and sends nothing to the server. It can't change the options: re-entry through a view
 * with other {@link LockOptions} is refused by {@link InvalidArgumentException}.
 *
 * <p>For a read-write lock ({@link ReentrantDistributedReadWriteLock}), the thread's holds for reading and for writing are one: reading
 * inside of writing is a re-entry.
 *
 * <p>A loss of the lease throws {@link IllegalMonitorStateException} with a {@link LeaseLostException} as its cause: from {@code unlock},
 * and from every {@code lock} or {@code tryLock} that would re-enter a lease that is not {@link LeaseState#HELD}. Outages throw as in
 * {@link DistributedLock#acquire} and {@link DistributedLock#tryAcquire()}. A thread that dies without unlocking keeps the lock until
 * {@link LockOptions#maxHold} or the end of the client.
 */
public final class ReentrantDistributedLock implements Lock {
    private final DistributedLock lock;
    private final LockName name;
    private final LockOptions options;
    private final ThreadHolds holds;
    private final Share share;

    ReentrantDistributedLock(DistributedLock lock, LockName name, LockOptions options, ThreadHolds holds, Share share) {
        this.lock = lock;
        this.name = name;
        this.options = options;
        this.holds = holds;
        this.share = share;
    }

    /**
     * Returns the name of the lock.
     *
     * @return the lock's name
     */
    public String name() {
        return name.value();
    }

    /**
     * Returns the lease on which the calling thread has locked: for its token, its remaining time, and its changes.
     *
     * <p>The lease is the thread's own, not a copy, and may be passed to other threads. Releasing or closing it frees the lock at once,
     * whatever the hold count. Then each {@code unlock} that is still owed, and each re-entry before the last {@code unlock}, throws {@link
     * IllegalMonitorStateException}. No other holder is affected, and after the last {@code unlock} the thread can lock again.
     *
     * @return empty if the calling thread has not locked; a lost lease stays until the thread has unlocked
     */
    public Optional<Lease> lease() {
        ThreadHolds.Hold hold = holds.mine(name, share);
        return hold == null || hold.count(share) == 0 ? Optional.empty() : Optional.of(hold.lease());
    }

    /**
     * Returns true if the calling thread has locked and not yet unlocked as often. Local, no I/O. A lost lease counts until it is unlocked,
     * so that {@code if (lock.isHeldByCurrentThread()) lock.unlock()} reports the loss. {@link Lease#ensureHeld} of {@link #lease} checks
     * that the lock is still held.
     *
     * @return true if {@link #getHoldCount} is more than zero
     */
    public boolean isHeldByCurrentThread() {
        return getHoldCount() > 0;
    }

    /**
     * Returns the number of times that the calling thread has to unlock. Local, no I/O.
     *
     * @return zero if it has not locked
     */
    public int getHoldCount() {
        ThreadHolds.Hold hold = holds.mine(name, share);
        return hold == null ? 0 : hold.count(share);
    }

    /**
     * Acquires the lock, and waits for as long as others hold it. An interrupt is kept for later.
     *
     * @throws IllegalMonitorStateException if it would re-enter a lease that is not HELD
     * @throws UnsupportedCapabilityException if it is a lock for writing that the thread has locked only for reading
     * @throws InvalidArgumentException if it would re-enter a lease with other options
     * @throws BackendException as in {@link DistributedLock#acquire}
     * @throws ClientClosedException as in {@link DistributedLock#acquire}
     */
    @Override
    public void lock() {
        if (!reentered()) {
            begin(lock.acquireUninterruptibly());
        }
    }

    /**
     * Acquires the lock like {@link #lock}, but interruptibly.
     *
     * @throws InterruptedException if interrupted, before or during the wait; the thread has not locked
     * @throws IllegalMonitorStateException as in {@link #lock}
     * @throws UnsupportedCapabilityException as in {@link #lock}
     * @throws InvalidArgumentException as in {@link #lock}
     * @throws BackendException as in {@link #lock}
     * @throws ClientClosedException as in {@link #lock}
     */
    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (!reentered()) {
            begin(lock.acquire());
        }
    }

    /**
     * Tries to acquire the lock in one attempt, as {@link DistributedLock#tryAcquire()} does.
     *
     * @return false if another holder had it; never because of an outage
     * @throws IllegalMonitorStateException as in {@link #lock}
     * @throws UnsupportedCapabilityException as in {@link #lock}
     * @throws InvalidArgumentException as in {@link #lock}
     * @throws BackendException as in {@link DistributedLock#tryAcquire()}
     * @throws ClientClosedException as in {@link DistributedLock#tryAcquire()}
     */
    @Override
    public boolean tryLock() {
        return reentered() || began(lock.tryAcquire());
    }

    /**
     * Tries to acquire the lock within a time, as {@link DistributedLock#tryAcquire(Duration)} does.
     *
     * @param time the longest wait; zero or less is one attempt
     * @param unit the unit of {@code time}
     * @return false if another holder had it for the whole wait
     * @throws InterruptedException as in {@link #lockInterruptibly}
     * @throws NullPointerException if the unit is null, as every {@link Lock} does
     * @throws IllegalMonitorStateException as in {@link #lock}
     * @throws UnsupportedCapabilityException as in {@link #lock}
     * @throws InvalidArgumentException as in {@link #lock}
     * @throws BackendException as in {@link DistributedLock#tryAcquire(Duration)}
     * @throws ClientClosedException as in {@link DistributedLock#tryAcquire(Duration)}
     */
    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        Objects.requireNonNull(unit, "the unit of the time is null");
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return reentered() || began(lock.tryAcquire(Duration.ofNanos(Math.max(0, unit.toNanos(time)))));
    }

    /** Notes the first lock of this thread, if there is a lease. */
    boolean began(Optional<Lease> lease) {
        lease.ifPresent(this::begin);
        return lease.isPresent();
    }

    private void begin(Lease lease) {
        try {
            holds.begin(name, share, lease, options);
        } catch (Throwable broken) {
            // No memory or stack: the caller has not locked, and would never unlock.
            holds.end(name, share);
            lease.giveBack();
            throw broken;
        }
    }

    /** Counts one more hold of the same lease; refuses a lease that may be gone. */
    boolean reentered() {
        ThreadHolds.Hold hold = holds.mine(name, share);
        if (hold == null) {
            return false;
        }
        if (share.equals(Share.WRITE) && hold.count(share) == 0) {
            throw UnsupportedCapabilityException.upgrade(name.value());
        }
        if (!options.equals(hold.options)) {
            throw InvalidArgumentException.ofLock(
                    name.value(),
                    "lock '" + name + "' is held by this thread with " + hold.options + ": it can't be re-entered with "
                            + options);
        }
        LeaseState state = hold.lease().state();
        if (state != LeaseState.HELD) {
            throw illegal(
                    "can't re-enter lock '" + name + "': its lease is " + state,
                    hold.lease().loss());
        }
        hold.again(share);
        return true;
    }

    /**
     * Undoes one lock; the last one releases the lease and waits for the server's answer, as {@link Lease#release} does. The last one for
     * writing is a {@link DistributedReadWriteLock#downgrade} if the thread has locked for reading, too.
     *
     * @throws IllegalMonitorStateException if the calling thread has not locked, or if its lease was lost (with a
     *     {@link LeaseLostException} as the cause) or released before. This lock is undone all the same
     * @throws BackendException as in {@link Lease#release}
     * @throws ClientClosedException as in {@link Lease#release}
     */
    @Override
    public void unlock() {
        ThreadHolds.Hold hold = holds.mine(name, share);
        if (hold == null || hold.count(share) == 0) {
            throw new IllegalMonitorStateException("lock '" + name + "' is not held by thread '"
                    + Thread.currentThread().getName() + "'");
        }
        boolean held = hold.lease().state() != LeaseState.LOST && hold.lease().state() != LeaseState.RELEASED;
        if (hold.isLast()) {
            holds.end(name, share);
            held &= hold.lease().release() == ReleaseResult.RELEASED;
        } else if (hold.lessToReading(share)) {
            held &= lowered(hold);
        }
        if (!held) {
            throw over(hold.lease());
        }
    }

    /** Lets the thread go on reading, if its lease is not over. */
    private boolean lowered(ThreadHolds.Hold hold) {
        Optional<Lease> reading = hold.lease().lower(Share.READ);
        reading.ifPresent(lease -> holds.lowered(name, hold, lease));
        return reading.isPresent();
    }

    private IllegalMonitorStateException over(Lease lease) {
        LeaseLostException loss = lease.loss();
        if (loss != null) {
            return illegal("lock '" + name + "' was lost before it was unlocked", loss);
        }
        String released = "lock '" + name + "' was released before it was unlocked: ";
        return lease.endedByClose()
                ? illegal(
                        released + "its lock client was closed",
                        new ClientClosedException("the lock client was closed", name.value()))
                : illegal(released + "through its lease", null);
    }

    private static IllegalMonitorStateException illegal(String message, @Nullable Throwable cause) {
        IllegalMonitorStateException failure = new IllegalMonitorStateException(message);
        failure.initCause(cause);
        return failure;
    }

    /**
     * Not supported: a signal could not reach a waiter in another process.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a distributed lock has no conditions");
    }

    /** Names the lock, for logs. */
    @Override
    public String toString() {
        return "ReentrantDistributedLock[" + name + "]";
    }
}
