package io.hasp.evaluation.subject;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.servers.ZooKeeperEndpoint;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.framework.recipes.locks.InterProcessMultiLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex;

/**
 * Curator's locks, as its getting-started page shows them: one {@code CuratorFramework} per process and ensemble,
 * {@code ExponentialBackoffRetry(1000, 3)}, and a {@code ConnectionStateListener} that detects losses. The page does
 * not say if threads share the mutex of a path. That matters: each event wakes all threads that share one.
 *
 * <p>Shared locks are {@code InterProcessReadWriteLock} and {@code InterProcessSemaphoreV2}, several locks
 * {@code InterProcessMultiLock}, elections {@code LeaderLatch} (of the shared mutex) and {@code LeaderSelector}.
 *
 * @param uri of the servers, in Hasp's form
 * @param kind the kind of lock
 * @param session the session timeout
 */
record CuratorMutex(String uri, Kind kind, Duration session) implements LockSubject {
    /** Of the servers that the comparison and the suite start. */
    static final Duration TWO_TICKS = Duration.ofSeconds(1);

    /** Curator's own default. */
    static final Duration USUAL_SESSION = Duration.ofSeconds(60);

    enum Kind {
        /** An {@code InterProcessMutex} for each path, which all threads share. */
        SHARED("curator-mutex"),
        /** An {@code InterProcessMutex} for each path and thread. */
        PER_THREAD("curator-mutex-per-thread"),
        /** An {@code InterProcessSemaphoreMutex} for each path and thread; not reentrant, and not owned by a thread. */
        SEMAPHORE("curator-semaphore-mutex");

        private final String label;

        Kind(String label) {
            this.label = label;
        }
    }

    @Override
    public String name() {
        return kind.label;
    }

    @Override
    public Set<Claimed> claims() {
        EnumSet<Claimed> claims = EnumSet.of(Claimed.RENEWAL, Claimed.LOSS_DETECTION);
        if (kind != Kind.SEMAPHORE) {
            claims.addAll(Set.of(Claimed.FIFO, Claimed.ELECTION));
        }
        if (kind == Kind.SHARED) {
            claims.addAll(Set.of(Claimed.READ_WRITE, Claimed.SEMAPHORE, Claimed.DOWNGRADE, Claimed.SEVERAL));
        }
        return claims;
    }

    /** The server looks at sessions once a tick. */
    @Override
    public Duration silence() {
        return session.plus(CuratorMutex.TWO_TICKS);
    }

    @Override
    public LockUser open() throws InterruptedException {
        ZooKeeperEndpoint endpoint = ZooKeeperEndpoint.of(uri);
        Map<String, InterProcessLock> shared = new ConcurrentHashMap<>();
        CuratorFramework client = endpoint.curator(session);
        return new User(
                client,
                CuratorLoss.of(client),
                kind,
                endpoint.path() + (kind == Kind.SEMAPHORE ? "/curator-mutex/" : "/curator/"),
                new CuratorShares(client, endpoint.path() + "/curator-"),
                ThreadLocal.withInitial(kind == Kind.SHARED ? () -> shared : HashMap::new));
    }

    private record User(
            CuratorFramework client,
            CuratorLoss loss,
            Kind kind,
            String folder,
            CuratorShares shares,
            ThreadLocal<Map<String, InterProcessLock>> mutexes)
            implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws Exception {
            return mode.equals(LockMode.EXCLUSIVE) || kind != Kind.SHARED
                    ? LockUser.super.tryAcquire(lock, mode, wait)
                    : shares.tryAcquire(lock, mode, wait);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
            if (kind != Kind.SEMAPHORE && lock.startsWith(HaspSubject.ELECTION)) {
                return CuratorElection.elected(client, folder + lock, kind == Kind.SHARED, wait);
            }
            InterProcessLock mutex = mutexes.get().computeIfAbsent(folder + lock, this::mutex);
            BooleanSupplier belief = loss.belief();
            return mutex.acquire(wait.toNanos(), TimeUnit.NANOSECONDS)
                    ? Optional.of(new Held(mutex, belief))
                    : Optional.empty();
        }

        @Override
        public Optional<Hold> tryAcquireAll(List<String> locks, Duration wait) throws Exception {
            InterProcessLock all = new InterProcessMultiLock(locks.stream()
                    .map(lock -> mutexes.get().computeIfAbsent(folder + lock, this::mutex))
                    .toList());
            BooleanSupplier belief = loss.belief();
            return all.acquire(wait.toNanos(), TimeUnit.NANOSECONDS)
                    ? Optional.of(new Held(all, belief))
                    : Optional.empty();
        }

        private InterProcessLock mutex(String path) {
            return kind == Kind.SEMAPHORE
                    ? new InterProcessSemaphoreMutex(client, path)
                    : new InterProcessMutex(client, path);
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private record Held(InterProcessLock mutex, BooleanSupplier belief) implements Hold {

        @Override
        public boolean believesHeld() {
            return belief.getAsBoolean();
        }

        @Override
        public boolean release() throws Exception {
            try {
                mutex.release();
                return true;
            } catch (IllegalMonitorStateException | IllegalStateException e) {
                return false;
            }
        }
    }
}
