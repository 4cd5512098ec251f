package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.servers.RedisEndpoint;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;

/**
 * Redisson's {@code RReadWriteLock}, on a client as {@link RedissonLock} has it. A writer becomes a reader as its
 * documentation of {@code ReentrantReadWriteLock} says: it locks for reading, then unlocks for writing.
 *
 * @param uri of the server, as Hasp takes it
 * @param watchdog the watchdog's timeout: after it a silent client's locks are free
 */
record RedissonReadWriteLock(String uri, Duration watchdog) implements LockSubject {

    @Override
    public String name() {
        return "redisson-rreadwritelock";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.READ_WRITE, Claimed.DOWNGRADE, Claimed.FIXED_LEASE, Claimed.RENEWAL);
    }

    @Override
    public LockUser open() {
        RedisEndpoint endpoint = RedisEndpoint.of(uri);
        return new User(endpoint, endpoint.redisson(watchdog, false));
    }

    private record User(RedisEndpoint endpoint, RedissonClient client) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws InterruptedException {
            return tryAcquire(lock, LockMode.WRITE, wait);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws InterruptedException {
            RReadWriteLock both = client.getReadWriteLock(endpoint.key("rwlock", lock));
            RLock one = of(both, mode);
            return held(both, one, one.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS));
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait, Duration lease)
                throws InterruptedException {
            RReadWriteLock both = client.getReadWriteLock(endpoint.key("rwlock", lock));
            RLock one = of(both, mode);
            return held(both, one, one.tryLock(wait.toMillis(), lease.toMillis(), TimeUnit.MILLISECONDS));
        }

        private static RLock of(RReadWriteLock both, LockMode mode) {
            return mode.equals(LockMode.READ) ? both.readLock() : both.writeLock();
        }

        private static Optional<Hold> held(RReadWriteLock both, RLock one, boolean granted) {
            return granted ? Optional.of(new Held(both, one)) : Optional.empty();
        }

        /** As {@link RedissonLock} does it. */
        @Override
        public void close() {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    private record Held(RReadWriteLock both, RLock one) implements Hold {

        @Override
        public boolean release() {
            try {
                one.unlock();
                return true;
            } catch (IllegalMonitorStateException e) {
                return false;
            }
        }

        @Override
        public Hold downgrade() {
            both.readLock().lock();
            one.unlock();
            return new Held(both, both.readLock());
        }
    }
}
