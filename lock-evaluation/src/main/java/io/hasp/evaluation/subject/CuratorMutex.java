package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/**
 * Curator's {@code InterProcessMutex}, as its getting-started page shows it: one {@code CuratorFramework} for each
 * process and ensemble, {@code ExponentialBackoffRetry(1000, 3)}, default timeouts, and one mutex for each path, shared by
 * the threads.
 *
 * @param connect the ensemble's connect string
 */
record CuratorMutex(String connect) implements LockSubject {

    @Override
    public String name() {
        return "curator-mutex";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.RENEWAL, Claimed.FIFO);
    }

    @Override
    public LockUser open() throws InterruptedException {
        return new User(connected(connect), new ConcurrentHashMap<>());
    }

    static CuratorFramework connected(String connect) throws InterruptedException {
        CuratorFramework client = CuratorFrameworkFactory.newClient(connect, new ExponentialBackoffRetry(1000, 3));
        client.start();
        if (!client.blockUntilConnected(15, TimeUnit.SECONDS)) {
            client.close();
            throw new IllegalStateException("no connection to ZooKeeper at " + connect + " within 15 s");
        }
        return client;
    }

    private record User(CuratorFramework client, Map<String, InterProcessMutex> mutexes) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
            InterProcessMutex mutex = mutexes.computeIfAbsent(
                    lock, name -> new InterProcessMutex(client, "/hasp-compare/curator/" + name));
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
