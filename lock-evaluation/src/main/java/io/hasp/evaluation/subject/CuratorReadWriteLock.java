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
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;

/**
 * Curator's {@code InterProcessReadWriteLock}, on a client as {@link CuratorMutex} has it, with a lock for each thread and path.
 * A writer becomes a reader as its documentation says: it acquires the read lock, then releases the write lock.
 *
 * @param uri of the servers, as Hasp takes it
 * @param session the session timeout
 */
record CuratorReadWriteLock(String uri, Duration session) implements LockSubject {

    @Override
    public String name() {
        return "curator-readwritelock";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.READ_WRITE, Claimed.DOWNGRADE, Claimed.RENEWAL, Claimed.FIFO);
    }

    @Override
    public Duration silence() {
        return session.plus(CuratorMutex.TWO_TICKS);
    }

    @Override
    public LockUser open() throws InterruptedException {
        ZooKeeperEndpoint endpoint = ZooKeeperEndpoint.of(uri);
        return new User(
                endpoint.curator(session), endpoint.path() + "/curator-rw/", ThreadLocal.withInitial(HashMap::new));
    }

    private record User(
            CuratorFramework client, String folder, ThreadLocal<Map<String, InterProcessReadWriteLock>> locks)
            implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
            return tryAcquire(lock, LockMode.WRITE, wait);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws Exception {
            InterProcessReadWriteLock both =
                    locks.get().computeIfAbsent(lock, name -> new InterProcessReadWriteLock(client, folder + name));
            InterProcessMutex one = mode.equals(LockMode.READ) ? both.readLock() : both.writeLock();
            return one.acquire(wait.toNanos(), TimeUnit.NANOSECONDS)
                    ? Optional.of(new Held(both, one))
                    : Optional.empty();
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private record Held(InterProcessReadWriteLock both, InterProcessMutex one) implements Hold {

        @Override
        public boolean release() throws Exception {
            try {
                one.release();
                return true;
            } catch (IllegalMonitorStateException e) {
                return false;
            }
        }

        @Override
        public Hold downgrade() throws Exception {
            both.readLock().acquire();
            one.release();
            return new Held(both, both.readLock());
        }
    }
}
