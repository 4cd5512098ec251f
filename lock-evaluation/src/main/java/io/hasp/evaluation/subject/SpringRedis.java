package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.redis.RedisConfig;
import java.net.URI;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Spring Integration's {@code RedisLockRegistry}, one for each process, on Lettuce with its defaults (one connection
 * shared by all threads). With pub/sub, which its documentation calls the preferred mode, and with the scheduler that
 * renews held locks, as all other subjects do.
 *
 * @param uri of the server, as Hasp takes it
 * @param expiry after which a silent client's locks are free
 */
record SpringRedis(String uri, Duration expiry) implements LockSubject {
    /** The registry's own default. */
    static final Duration USUAL_EXPIRY = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "spring-redis";
    }

    /** Not fixed leases: with the scheduler, a lock that was taken with a time to live of its own is renewed as well. */
    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.RENEWAL);
    }

    @Override
    public LockUser open() {
        RedisConfig config = RedisConfig.of(URI.create(uri));
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(config.host(), config.port());
        server.setDatabase(config.database());
        config.user().ifPresent(server::setUsername);
        config.password().ifPresent(server::setPassword);
        LettuceConnectionFactory lettuce = new LettuceConnectionFactory(server);
        lettuce.afterPropertiesSet();
        lettuce.start();
        ThreadPoolTaskScheduler renewal = new ThreadPoolTaskScheduler();
        renewal.setThreadNamePrefix("spring-renewal-");
        renewal.setDaemon(true);
        renewal.initialize();
        RedisLockRegistry registry = new RedisLockRegistry(lettuce, config.keyPrefix() + ":spring", expiry);
        registry.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
        registry.setRenewalTaskScheduler(renewal);
        return new User(registry, renewal, lettuce);
    }

    private record User(RedisLockRegistry registry, ThreadPoolTaskScheduler renewal, LettuceConnectionFactory lettuce)
            implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws InterruptedException {
            DistributedLock mutex = registry.obtain(lock);
            return mutex.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)
                    ? Optional.of(() -> unlocked(mutex))
                    : Optional.empty();
        }

        /** The first exception means that the lock had expired, the second that the thread does not hold it. */
        private static boolean unlocked(DistributedLock mutex) {
            try {
                mutex.unlock();
                return true;
            } catch (ConcurrentModificationException | IllegalStateException e) {
                return false;
            }
        }

        @Override
        public void close() {
            renewal.shutdown();
            registry.destroy();
            lettuce.destroy();
        }
    }
}
