package io.hasp.evaluation.subject;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.servers.RedisEndpoint;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Spring Integration's {@code RedisLockRegistry}, one per process, on Lettuce with its defaults (one connection for all
 * threads). It uses pub/sub, the preferred mode of its documentation, or the default mode, in which waiters poll every
 * 100 ms. Its election is {@code LockRegistryLeaderInitiator}, with pub/sub. In both modes a scheduler renews held locks, as all other subjects do; that is not its default.
 *
 * @param endpoint the servers
 * @param mode the notification of its waiters
 * @param expiry after which a silent client's locks are free
 * @param commandTimeout Lettuce's limit for an answer; zero for its default, a minute
 */
record SpringRedis(RedisEndpoint endpoint, RedisLockType mode, Duration expiry, Duration commandTimeout)
        implements LockSubject {
    /** Far longer than an unlock takes. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The registry's own default. */
    static final Duration USUAL_EXPIRY = Duration.ofSeconds(60);

    SpringRedis(RedisEndpoint endpoint, RedisLockType mode, Duration expiry) {
        this(endpoint, mode, expiry, Duration.ZERO);
    }

    @Override
    public String name() {
        String name = mode == RedisLockType.SPIN_LOCK ? "spring-redis-spin" : "spring-redis";
        return commandTimeout.isZero() ? name : name + "-timeout";
    }

    /** Not fixed leases: with the scheduler, a lock that was taken with a time to live of its own is renewed as well. */
    @Override
    public Set<Claimed> claims() {
        return mode == RedisLockType.PUB_SUB_LOCK ? Set.of(Claimed.RENEWAL, Claimed.ELECTION) : Set.of(Claimed.RENEWAL);
    }

    @Override
    public LockUser open() {
        LettuceConnectionFactory lettuce = new LettuceConnectionFactory(SpringServers.of(endpoint), client());
        lettuce.afterPropertiesSet();
        lettuce.start();
        ThreadPoolTaskScheduler renewal = new ThreadPoolTaskScheduler();
        renewal.setThreadNamePrefix("spring-renewal-");
        renewal.setDaemon(true);
        renewal.initialize();
        RedisLockRegistry registry = new RedisLockRegistry(
                lettuce,
                endpoint.config().locks().keyPrefix() + (mode == RedisLockType.SPIN_LOCK ? ":spring-spin" : ":spring"),
                expiry);
        registry.setRedisLockType(mode);
        registry.setRenewalTaskScheduler(renewal);
        return new User(registry, renewal, lettuce);
    }

    private LettuceClientConfiguration client() {
        LettuceClientConfiguration.LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder();
        return commandTimeout.isZero()
                ? client.build()
                : client.commandTimeout(commandTimeout).build();
    }

    private record User(RedisLockRegistry registry, ThreadPoolTaskScheduler renewal, LettuceConnectionFactory lettuce)
            implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws InterruptedException {
            if (lock.startsWith(HaspSubject.ELECTION)) {
                return elected(lock, wait);
            }
            DistributedLock mutex = registry.obtain(lock);
            return mutex.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)
                    ? Optional.of(() -> unlocked(mutex))
                    : Optional.empty();
        }

        /** By Spring's own initiator, with its defaults. */
        private Optional<Hold> elected(String role, Duration wait) throws InterruptedException {
            CountDownLatch elected = new CountDownLatch(1);
            CountDownLatch revoked = new CountDownLatch(1);
            LockRegistryLeaderInitiator initiator =
                    new LockRegistryLeaderInitiator(registry, new DefaultCandidate("", role) {
                        @Override
                        public void onGranted(Context context) {
                            elected.countDown();
                        }

                        @Override
                        public void onRevoked(Context context) {
                            revoked.countDown();
                        }
                    });
            initiator.start();
            if (!elected.await(wait.toMillis(), TimeUnit.MILLISECONDS)) {
                initiator.destroy();
                return Optional.empty();
            }
            return Optional.of(() -> {
                boolean led = initiator.getContext().isLeader();
                initiator.destroy();
                // The initiator unlocks on a thread of its own, and tells of it afterwards. A connection that is closed
                // before that
                // leaves the lock to its expiry.
                return revoked.await(PATIENCE.toNanos(), TimeUnit.NANOSECONDS) && led;
            });
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
