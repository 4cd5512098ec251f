package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.servers.RedisEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * ShedLock on Redis, through Spring's connection factory on Lettuce. It skips a busy lock and can't wait, so it takes
 * part only in work without waiting. Each lock is held for {@code lockAtMostFor}, without renewal.
 *
 * @param endpoint the servers
 * @param most {@code lockAtMostFor}, which has no default
 */
record ShedLock(RedisEndpoint endpoint, Duration most) implements LockSubject {
    /** As long as the leases of the others. */
    static final Duration USUAL_MOST = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "shedlock-redis";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.FIXED_LEASE);
    }

    @Override
    public LockUser open() {
        LettuceConnectionFactory lettuce = new LettuceConnectionFactory(SpringServers.of(endpoint));
        lettuce.afterPropertiesSet();
        lettuce.start();
        RedisLockProvider provider = new RedisLockProvider.Builder(lettuce)
                .keyPrefix(endpoint.config().locks().keyPrefix() + ":shedlock")
                .build();
        return new User(provider, lettuce, most);
    }

    /**
     * Takes a lock, if it is free. Its release is allowed only once, and does not report if the lock was still held: the time that has passed
     * does.
     */
    static Optional<Hold> acquired(LockProvider provider, String name, Duration lease) {
        long asked = System.nanoTime();
        return provider.lock(new LockConfiguration(Instant.now(), name, lease, Duration.ZERO))
                .map(lock -> held(lock, asked + lease.toNanos()));
    }

    private static Hold held(SimpleLock lock, long end) {
        AtomicBoolean released = new AtomicBoolean();
        return () -> {
            boolean first = released.compareAndSet(false, true);
            if (first) {
                lock.unlock();
            }
            return first && System.nanoTime() - end < 0;
        };
    }

    private record User(LockProvider provider, LettuceConnectionFactory lettuce, Duration most) implements LockUser {

        /** One attempt, whatever the wait. */
        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) {
            return tryAcquire(lock, wait, most);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait, Duration lease) {
            return acquired(provider, lock, lease);
        }

        @Override
        public void close() {
            lettuce.destroy();
        }
    }
}
