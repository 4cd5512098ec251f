package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Redisson's {@code RLock}, on one {@code RedissonClient} for each process as its documentation asks, with the single
 * server configuration's defaults (64 connections, watchdog on). {@code tryLock} without a lease time, so that the
 * watchdog renews it as Hasp does its leases.
 *
 * @param uri of the server
 */
record RedissonRLock(String uri) implements LockSubject {

    @Override
    public String name() {
        return "redisson-rlock";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.FIXED_LEASE, Claimed.RENEWAL);
    }

    @Override
    public LockUser open() {
        Config config = new Config();
        config.useSingleServer().setAddress(uri);
        return new User(Redisson.create(config));
    }

    private record User(RedissonClient client) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws InterruptedException {
            RLock mutex = client.getLock("rlock:" + lock);
            return mutex.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)
                    ? Optional.of(() -> unlocked(mutex))
                    : Optional.empty();
        }

        private static boolean unlocked(RLock mutex) {
            try {
                mutex.unlock();
                return true;
            } catch (IllegalMonitorStateException e) {
                return false;
            }
        }

        /** Without the two seconds of quiet that Redisson grants late commands by default: there are none. */
        @Override
        public void close() {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }
}
