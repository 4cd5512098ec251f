package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.servers.RedisEndpoint;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/**
 * Redisson's locks, on one {@code RedissonClient} per process as its documentation advises. The configuration has its
 * defaults (64 connections), unless a client serves a single thread. Locks are taken without a lease time, so that the
 * watchdog renews them, as Hasp renews its leases.
 *
 * <p>Shared locks are {@code RReadWriteLock} and {@code RPermitExpirableSemaphore}, several locks {@code RMultiLock}.
 *
 * @param kind the kind of lock
 * @param endpoint the servers
 * @param watchdog the watchdog's timeout: after it a silent client's locks are free
 * @param oneThread true if a client serves a single thread
 */
record RedissonLock(Kind kind, RedisEndpoint endpoint, Duration watchdog, boolean oneThread) implements LockSubject {
    /** Redisson's own default. */
    static final Duration USUAL_WATCHDOG = Duration.ofSeconds(30);

    enum Kind {
        /** {@code RLock}. */
        RLOCK,
        /** The lock of {@code getFairLock}. */
        FAIRLOCK,
        /** {@code RFencedLock}. */
        FENCEDLOCK,
        /** {@code RedissonSpinLock}, whose waiters poll with growing intervals. */
        SPINLOCK
    }

    @Override
    public String name() {
        return "redisson-" + kind.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Set<Claimed> claims() {
        EnumSet<Claimed> claims = EnumSet.of(Claimed.FIXED_LEASE, Claimed.RENEWAL);
        if (kind == Kind.FAIRLOCK) {
            claims.add(Claimed.FIFO);
        }
        if (kind == Kind.FENCEDLOCK) {
            claims.add(Claimed.FENCING_TOKEN);
        }
        if (kind == Kind.RLOCK) {
            claims.addAll(Set.of(Claimed.READ_WRITE, Claimed.SEMAPHORE, Claimed.DOWNGRADE, Claimed.SEVERAL));
        }
        return claims;
    }

    @Override
    public LockUser open() {
        return new User(kind, endpoint, endpoint.redisson(watchdog, oneThread));
    }

    private record User(Kind kind, RedisEndpoint endpoint, RedissonClient client) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws InterruptedException {
            if (kind == Kind.FENCEDLOCK) {
                RFencedLock fenced = client.getFencedLock(endpoint.key("fencedlock", lock));
                return held(fenced, fenced.tryLockAndGetToken(wait.toMillis(), TimeUnit.MILLISECONDS));
            }
            RLock mutex = mutex(lock);
            return held(mutex, mutex.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS));
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait, Duration lease) throws InterruptedException {
            if (kind == Kind.FENCEDLOCK) {
                RFencedLock fenced = client.getFencedLock(endpoint.key("fencedlock", lock));
                return held(
                        fenced, fenced.tryLockAndGetToken(wait.toMillis(), lease.toMillis(), TimeUnit.MILLISECONDS));
            }
            RLock mutex = mutex(lock);
            return held(mutex, mutex.tryLock(wait.toMillis(), lease.toMillis(), TimeUnit.MILLISECONDS));
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws Exception {
            if (mode.equals(LockMode.EXCLUSIVE) || kind != Kind.RLOCK) {
                return LockUser.super.tryAcquire(lock, mode, wait);
            }
            return mode.equals(LockMode.READ) || mode.equals(LockMode.WRITE)
                    ? RedissonShares.readWrite(client.getReadWriteLock(endpoint.key("rwlock", lock)), mode, wait)
                    : RedissonShares.permits(
                            client.getPermitExpirableSemaphore(endpoint.key("permits", lock)), mode, wait);
        }

        @Override
        public Optional<Hold> tryAcquireAll(List<String> locks, Duration wait) throws InterruptedException {
            RLock all = client.getMultiLock(locks.stream().map(this::mutex).toArray(RLock[]::new));
            return held(all, all.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS));
        }

        private RLock mutex(String lock) {
            String key = endpoint.key(kind.name().toLowerCase(Locale.ROOT), lock);
            return switch (kind) {
                case FAIRLOCK -> client.getFairLock(key);
                case SPINLOCK -> client.getSpinLock(key);
                case RLOCK, FENCEDLOCK -> client.getLock(key);
            };
        }

        private static Optional<Hold> held(RLock mutex, boolean granted) {
            return granted ? Optional.of(new Held(mutex, OptionalLong.empty())) : Optional.empty();
        }

        private static Optional<Hold> held(RLock mutex, @Nullable Long token) {
            return token == null ? Optional.empty() : Optional.of(new Held(mutex, OptionalLong.of(token)));
        }

        /** Without the two seconds that Redisson waits for late commands by default. */
        @Override
        public void close() {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    private record Held(RLock mutex, OptionalLong token) implements Hold {

        @Override
        public boolean release() {
            try {
                mutex.unlock();
                return true;
            } catch (IllegalMonitorStateException e) {
                return false;
            }
        }
    }
}
