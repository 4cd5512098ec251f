package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.servers.RedisEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/**
 * Redisson's {@code getRedLock}, as its documentation builds it: a lock of each of several independent servers, each
 * with a client of its own. It gives no fencing token.
 *
 * @param uri of the servers, as Hasp takes it
 * @param watchdog the watchdog's timeout: after it a silent client's locks are free
 * @param oneThread whether a client serves a single thread
 */
record RedissonRedlock(String uri, Duration watchdog, boolean oneThread) implements LockSubject {

    @Override
    public String name() {
        return "redisson-redlock";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.FIXED_LEASE, Claimed.RENEWAL);
    }

    @Override
    public LockUser open() {
        List<RedisEndpoint> nodes = RedisEndpoint.each(uri);
        List<RedissonClient> clients = new ArrayList<>();
        try {
            nodes.forEach(node -> clients.add(node.redisson(watchdog, oneThread)));
        } catch (RuntimeException e) {
            shutDown(clients);
            throw e;
        }
        return new User(nodes.get(0), clients);
    }

    private static void shutDown(List<RedissonClient> clients) {
        clients.forEach(client -> client.shutdown(0, 2, TimeUnit.SECONDS));
    }

    private record User(RedisEndpoint endpoint, List<RedissonClient> clients) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws InterruptedException {
            return tryAcquire(lock, wait, -1);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait, Duration lease) throws InterruptedException {
            return tryAcquire(lock, wait, lease.toMillis());
        }

        @SuppressWarnings("deprecation") // Redisson advises against it, and still offers it under this name
        private Optional<Hold> tryAcquire(String lock, Duration wait, long lease) throws InterruptedException {
            RLock all = clients.get(0)
                    .getRedLock(clients.stream()
                            .map(client -> client.getLock(endpoint.key("redlock", lock)))
                            .toArray(RLock[]::new));
            return all.tryLock(wait.toMillis(), lease, TimeUnit.MILLISECONDS)
                    ? Optional.of(new Held(all))
                    : Optional.empty();
        }

        @Override
        public void close() {
            shutDown(clients);
        }
    }

    private record Held(RLock all) implements Hold {

        @Override
        public boolean release() {
            try {
                all.unlock();
                return true;
            } catch (IllegalMonitorStateException e) {
                return false;
            }
        }
    }
}
