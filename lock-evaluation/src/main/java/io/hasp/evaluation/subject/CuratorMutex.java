package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.servers.ZooKeeperEndpoint;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;

/**
 * Curator's {@code InterProcessMutex}, as its getting-started page shows it: one {@code CuratorFramework} for each
 * process and ensemble and {@code ExponentialBackoffRetry(1000, 3)}. The page leaves open whether threads share the mutex
 * of a path, and it matters: all threads that share one are woken by each event.
 *
 * <p>What the others share, it takes as {@code InterProcessReadWriteLock} and {@code InterProcessSemaphoreV2}.
 *
 * @param uri of the servers, as Hasp takes it
 * @param perThread whether each thread has its own mutex for a path
 * @param session the session timeout
 */
record CuratorMutex(String uri, boolean perThread, Duration session) implements LockSubject {
    /** Of the servers that the comparison and the suite start. */
    static final Duration TWO_TICKS = Duration.ofSeconds(1);

    /** Curator's own default. */
    static final Duration USUAL_SESSION = Duration.ofSeconds(60);

    @Override
    public String name() {
        return perThread ? "curator-mutex-per-thread" : "curator-mutex";
    }

    @Override
    public Set<Claimed> claims() {
        return perThread
                ? Set.of(Claimed.RENEWAL, Claimed.FIFO)
                : Set.of(Claimed.RENEWAL, Claimed.FIFO, Claimed.READ_WRITE, Claimed.SEMAPHORE, Claimed.DOWNGRADE);
    }

    /** The server looks at sessions once a tick. */
    @Override
    public Duration silence() {
        return session.plus(CuratorMutex.TWO_TICKS);
    }

    @Override
    public LockUser open() throws InterruptedException {
        ZooKeeperEndpoint endpoint = ZooKeeperEndpoint.of(uri);
        Map<String, InterProcessMutex> shared = new ConcurrentHashMap<>();
        CuratorFramework client = endpoint.curator(session);
        return new User(
                client,
                endpoint.path() + "/curator/",
                perThread ? Optional.empty() : Optional.of(new CuratorShares(client, endpoint.path() + "/curator-")),
                ThreadLocal.withInitial(perThread ? HashMap::new : () -> shared));
    }

    private record User(
            CuratorFramework client,
            String folder,
            Optional<CuratorShares> shares,
            ThreadLocal<Map<String, InterProcessMutex>> mutexes)
            implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws Exception {
            return mode.equals(LockMode.EXCLUSIVE) || shares.isEmpty()
                    ? LockUser.super.tryAcquire(lock, mode, wait)
                    : shares.get().tryAcquire(lock, mode, wait);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
            InterProcessMutex mutex =
                    mutexes.get().computeIfAbsent(lock, name -> new InterProcessMutex(client, folder + name));
            return mutex.acquire(wait.toNanos(), TimeUnit.NANOSECONDS)
                    ? Optional.of(() -> released(mutex))
                    : Optional.empty();
        }

        private static boolean released(InterProcessMutex mutex) throws Exception {
            try {
                mutex.release();
                return true;
            } catch (IllegalMonitorStateException e) {
                return false;
            }
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
