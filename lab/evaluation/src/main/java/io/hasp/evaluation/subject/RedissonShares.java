package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RReadWriteLock;

/** Redisson's read-write lock and semaphore behind the port. Its watchdog renews the lock; it renews no permits. */
final class RedissonShares {
    private RedissonShares() {}

    static Optional<Hold> readWrite(RReadWriteLock lock, LockMode mode, Duration wait) throws InterruptedException {
        RLock half = mode.equals(LockMode.READ) ? lock.readLock() : lock.writeLock();
        return half.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)
                ? Optional.of(new Half(lock, half))
                : Optional.empty();
    }

    private record Half(RReadWriteLock lock, RLock half) implements Hold {

        @Override
        public boolean release() {
            try {
                half.unlock();
                return true;
            } catch (IllegalMonitorStateException e) {
                return false;
            }
        }

        /** By the thread that writes. */
        @Override
        public Hold downgrade() {
            lock.readLock().lock();
            half.unlock();
            return new Half(lock, lock.readLock());
        }
    }

    /** The first client sets the number of permits. Without a lease time, permits are held until they are released. */
    static Optional<Hold> permits(RPermitExpirableSemaphore semaphore, LockMode mode, Duration wait)
            throws InterruptedException {
        boolean ignored = semaphore.trySetPermits(mode.capacity());
        List<String> ids = semaphore.tryAcquire(mode.weight(), wait.toMillis(), -1, TimeUnit.MILLISECONDS);
        return ids.isEmpty() ? Optional.empty() : Optional.of(() -> semaphore.tryRelease(ids) == ids.size());
    }
}
