package io.hasp.packaging;

import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.redis.RedisBackend;
import io.hasp.spi.BackendSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * An application with a Redis client of its own: takes a lock that another process holds, and waits until it loses it;
 * then takes locks at other services.
 */
public final class BesideLettuce {
    private static final Duration LEASE = Duration.ofSeconds(3);

    private BesideLettuce() {}

    /**
     * Prints a line for each step.
     *
     * @param arguments the lock's name, the URI of a Redis server, and the URIs of other lock services
     * @throws Exception if a step fails
     */
    public static void main(String[] arguments) throws Exception {
        String name = arguments[0];
        RedisClient lettuce = RedisClient.create(arguments[1]);
        try (StatefulRedisConnection<String, String> own = lettuce.connect()) {
            System.out.println("Lettuce: " + own.sync().ping());
            waitAndLose(name, arguments[1], own);
            for (int i = 0; i < 20; i++) {
                throughLettuce(name + "-lettuce", arguments[1], lettuce);
            }
            System.out.println("locked through Lettuce");
        } finally {
            lettuce.shutdown();
        }
        for (int i = 2; i < arguments.length; i++) {
            try (LockClient locks = LockClient.connect(arguments[i]);
                    Lease lease = locks.lock(name).acquire()) {
                System.out.println("locked at " + arguments[i] + ", token " + lease.fencingToken());
            }
        }
    }

    /** Reports the hold to the other process by a key with the lock's name. */
    private static void waitAndLose(String name, String uri, StatefulRedisConnection<String, String> own)
            throws InterruptedException {
        try (LockClient locks = LockClient.connect(uri)) {
            DistributedLock lock = locks.lock(name, LockOptions.defaults().fixedLease(LEASE));
            System.out.println(lock.tryAcquire().isEmpty() ? "busy" : "free");
            Lease lease = lock.acquire();
            CountDownLatch lost = new CountDownLatch(1);
            lease.onChange(Runnable::run, state -> {
                if (state == LeaseState.LOST) {
                    lost.countDown();
                }
            });
            own.sync().set(name, Long.toString(lease.fencingToken()));
            System.out.println(lost.await(30, TimeUnit.SECONDS) ? "lost" : "held");
        }
    }

    /** A client of Hasp's own waits for one beside the application's, and the other way round. Closing them is quiet. */
    private static void throughLettuce(String name, String uri, RedisClient lettuce) throws Exception {
        BackendSource beside = RedisBackend.onLettuce(lettuce, RedisURI.create(uri));
        try (LockClient locks = LockClient.connect(uri + "?connection=lettuce");
                LockClient others = LockClient.over(beside, ClientOptions.defaults())) {
            HandOver.between(locks, others, name);
            HandOver.between(others, locks, name);
        }
    }
}
