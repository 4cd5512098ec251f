package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.servers.ZooKeeperEndpoint;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.apache.curator.framework.CuratorFramework;
import org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry;

/**
 * Spring Integration's {@code ZookeeperLockRegistry}, one for each process, on a {@code CuratorFramework} set up as
 * Spring's factory bean does it: {@code ExponentialBackoffRetry(1000, 3)}, default timeouts.
 *
 * @param uri of the servers, as Hasp takes it
 * @param session the session timeout
 */
record SpringZooKeeper(String uri, Duration session) implements LockSubject {

    @Override
    public String name() {
        return "spring-zookeeper";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.RENEWAL);
    }

    /** The server looks at sessions once a tick. */
    @Override
    public Duration silence() {
        return session.plus(CuratorMutex.TWO_TICKS);
    }

    @Override
    public LockUser open() throws InterruptedException {
        ZooKeeperEndpoint endpoint = ZooKeeperEndpoint.of(uri);
        CuratorFramework client = endpoint.curator(session);
        return new User(client, new ZookeeperLockRegistry(client, endpoint.path() + "/spring"));
    }

    private record User(CuratorFramework client, ZookeeperLockRegistry registry) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws InterruptedException {
            Lock mutex = registry.obtain(lock);
            return mutex.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS)
                    ? Optional.of(() -> unlocked(mutex))
                    : Optional.empty();
        }

        private static boolean unlocked(Lock mutex) {
            try {
                mutex.unlock();
                return true;
            } catch (IllegalMonitorStateException | IllegalStateException e) {
                return false;
            }
        }

        @Override
        public void close() {
            registry.destroy();
            client.close();
        }
    }
}
