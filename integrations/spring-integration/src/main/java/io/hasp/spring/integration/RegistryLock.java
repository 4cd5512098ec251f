package io.hasp.spring.integration;

import io.hasp.ClientClosedException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LockClient;
import io.hasp.LockException;
import io.hasp.LockOptions;
import io.hasp.ReentrantDistributedLock;
import io.hasp.UnsupportedCapabilityException;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.util.Assert;

/**
 * A lock of a registry: {@link ReentrantDistributedLock} with the exceptions of Spring's registries, times to live, and interrupts on loss.
 * Stateless, so the registry creates a new object for each request. Thread-safe.
 */
final class RegistryLock implements Lock {
    private final LockClient client;
    private final LockOptions options;
    private final ReentrantDistributedLock lock;

    RegistryLock(LockClient client, String name, LockOptions options) {
        this.client = client;
        this.options = options;
        this.lock = client.lock(name, options).asReentrantLock();
    }

    /** One way to lock, with the options of the thread's hold. */
    private interface Attempt<X extends Exception> {
        boolean on(ReentrantDistributedLock lock) throws X;
    }

    @Override
    public void lock() {
        take(null, RegistryLock::locked);
    }

    void lock(Duration ttl) {
        take(requireTtl(ttl), RegistryLock::locked);
    }

    private static boolean locked(ReentrantDistributedLock lock) {
        lock.lock();
        return true;
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        this.<InterruptedException>take(null, view -> {
            view.lockInterruptibly();
            return true;
        });
    }

    @Override
    public boolean tryLock() {
        return take(null, ReentrantDistributedLock::tryLock);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return this.<InterruptedException>take(null, view -> view.tryLock(time, unit));
    }

    boolean tryLock(Duration wait, Duration ttl) throws InterruptedException {
        Assert.notNull(wait, "the wait is null");
        long nanos = TimeUnit.NANOSECONDS.convert(wait);
        return this.<InterruptedException>take(requireTtl(ttl), view -> view.tryLock(nanos, TimeUnit.NANOSECONDS));
    }

    private static Duration requireTtl(Duration ttl) {
        Assert.notNull(ttl, "the time to live is null");
        return ttl;
    }

    private <X extends Exception> boolean take(@Nullable Duration ttl, Attempt<X> attempt) throws X {
        try {
            return lock.getHoldCount() == 0 ? begun(ttl, attempt) : reentered(ttl, attempt);
        } catch (LockException | ClientClosedException | UnsupportedCapabilityException e) {
            throw new CannotAcquireLockException(String.valueOf(e.getMessage()), e);
        } catch (IllegalMonitorStateException e) {
            throw new CannotAcquireLockException(String.valueOf(e.getMessage()), e.getCause());
        }
    }

    private <X extends Exception> boolean begun(@Nullable Duration ttl, Attempt<X> attempt) throws X {
        LockOptions held = ttl == null ? options : options.fixedLease(ttl);
        ReentrantDistributedLock view =
                ttl == null ? lock : client.lock(lock.name(), held).asReentrantLock();
        ThreadHold hold = new ThreadHold(client, view, held);
        if (!attempt.on(view)) {
            return false;
        }
        try {
            hold.begin();
        } catch (Throwable failure) {
            try {
                hold.end();
            } finally {
                undo(view, failure);
            }
            throw failure;
        }
        return true;
    }

    /**
     * Re-enters a lease with an end if it lasts at least as long as this call requests; otherwise the call is refused.
     */
    private <X extends Exception> boolean reentered(@Nullable Duration ttl, Attempt<X> attempt) throws X {
        ThreadHold hold = ThreadHold.of(client, lock.name());
        ReentrantDistributedLock view = hold == null ? lock : hold.lock;
        boolean ends = timeToLive(hold) != null;
        Duration wanted = ttl == null ? options.fixedLease().orElse(null) : ttl;
        if (ends && wanted == null) {
            throw new CannotAcquireLockException("lock '" + lock.name()
                    + "' is held by this thread with a time to live: it can't be re-entered without one");
        }
        if (!attempt.on(view)) {
            return false;
        }
        if (ends && wanted != null) {
            try {
                view.lease().orElseThrow().extend(wanted);
            } catch (Throwable failure) {
                undo(view, failure);
                throw failure;
            }
        }
        return true;
    }

    private static void undo(ReentrantDistributedLock view, Throwable failure) {
        try {
            view.unlock();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public void unlock() {
        int count = lock.getHoldCount();
        if (count == 0) {
            throw notOwner();
        }
        try {
            if (count == 1) {
                endHold();
            }
        } finally {
            undo();
        }
    }

    private void endHold() {
        ThreadHold hold = ThreadHold.of(client, lock.name());
        if (hold != null) {
            hold.end();
        }
    }

    private void undo() {
        try {
            lock.unlock();
        } catch (IllegalMonitorStateException e) {
            throw concurrentModification(e);
        } catch (LockException | ClientClosedException e) {
            throw new DataAccessResourceFailureException(String.valueOf(e.getMessage()), e);
        }
    }

    private IllegalMonitorStateException notOwner() {
        return new IllegalMonitorStateException("You do not own lock '" + lock.name() + "'");
    }

    private static ConcurrentModificationException concurrentModification(IllegalMonitorStateException lost) {
        return new ConcurrentModificationException(
                lost.getMessage() + ". What it protects may have been changed by somebody else meanwhile",
                lost.getCause());
    }

    /** Extends a lease with an end, by default by its original time to live. A lease without an end is only checked. */
    void renew(@Nullable Duration ttl) {
        Lease lease = lease().orElseThrow(this::notOwner);
        Duration usual = timeToLive(ThreadHold.of(client, lock.name()));
        try {
            if (usual == null) {
                lease.ensureHeld();
            } else {
                lease.extend(ttl == null ? usual : ttl);
            }
        } catch (LeaseLostException e) {
            throw new IllegalStateException(e.getMessage(), e);
        } catch (LockException | ClientClosedException e) {
            throw new DataAccessResourceFailureException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns the time to live of the calling thread's hold; null if its lease has no end. */
    private @Nullable Duration timeToLive(@Nullable ThreadHold hold) {
        return hold == null ? options.fixedLease().orElse(null) : hold.ttl;
    }

    Optional<Lease> lease() {
        return lock.lease();
    }

    int holdCount() {
        return lock.getHoldCount();
    }

    @Override
    public Condition newCondition() {
        return lock.newCondition();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RegistryLock that
                && client == that.client
                && lock.name().equals(that.lock.name())
                && options.equals(that.options);
    }

    @Override
    public int hashCode() {
        return lock.name().hashCode();
    }

    @Override
    public String toString() {
        return "RegistryLock[" + lock.name() + "]";
    }
}
