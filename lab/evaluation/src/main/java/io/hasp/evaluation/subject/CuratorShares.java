package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;

/** Curator's read-write lock and semaphore behind the port, one of each for a path, shared by all threads. */
final class CuratorShares {
    private final CuratorFramework client;
    private final String folder;
    private final Map<String, InterProcessReadWriteLock> locks = new ConcurrentHashMap<>();
    private final Map<String, InterProcessSemaphoreV2> semaphores = new ConcurrentHashMap<>();

    CuratorShares(CuratorFramework client, String folder) {
        this.client = client;
        this.folder = folder;
    }

    Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws Exception {
        return mode.equals(LockMode.READ) || mode.equals(LockMode.WRITE)
                ? readWrite(lock, mode, wait)
                : permits(lock, mode, wait);
    }

    private Optional<Hold> readWrite(String name, LockMode mode, Duration wait) throws Exception {
        InterProcessReadWriteLock lock =
                locks.computeIfAbsent(name, any -> new InterProcessReadWriteLock(client, folder + "rw/" + name));
        InterProcessMutex half = mode.equals(LockMode.READ) ? lock.readLock() : lock.writeLock();
        return half.acquire(wait.toNanos(), TimeUnit.NANOSECONDS)
                ? Optional.of(new Half(lock, half))
                : Optional.empty();
    }

    private record Half(InterProcessReadWriteLock lock, InterProcessMutex half) implements Hold {

        @Override
        public boolean release() throws Exception {
            try {
                half.release();
                return true;
            } catch (IllegalMonitorStateException e) {
                return false;
            }
        }

        /** By the thread that writes. */
        @Override
        public Hold downgrade() throws Exception {
            lock.readLock().acquire();
            half.release();
            return new Half(lock, lock.readLock());
        }
    }

    /**
     * Each client states the number of permits, and the numbers are not compared. The release does not report if the
     * lease was still held.
     */
    private Optional<Hold> permits(String name, LockMode mode, Duration wait) throws Exception {
        InterProcessSemaphoreV2 semaphore = semaphores.computeIfAbsent(
                name, any -> new InterProcessSemaphoreV2(client, folder + "permits/" + name, mode.capacity()));
        Collection<Lease> leases = semaphore.acquire(mode.weight(), wait.toNanos(), TimeUnit.NANOSECONDS);
        if (leases == null) {
            return Optional.empty();
        }
        AtomicBoolean returned = new AtomicBoolean();
        return Optional.of(() -> {
            semaphore.returnAll(leases);
            return returned.compareAndSet(false, true);
        });
    }
}
