package io.hasp.packaging;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.redis.RedisBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** An application with a Redisson client of its own takes locks on that one, and on one of Hasp's. */
public final class BesideRedisson {
    private static final int AT_ONCE = 200;

    private BesideRedisson() {}

    /**
     * Prints a line for each step.
     *
     * @param arguments the lock's name, the URI of a Redis server without a password, and that of one with user and password
     * @throws Exception if a step fails
     */
    public static void main(String[] arguments) throws Exception {
        String name = arguments[0];
        Config config = new Config();
        config.useSingleServer().setAddress(arguments[1]);
        RedissonClient redisson = Redisson.create(config);
        try (LockClient locks = LockClient.connect(arguments[1] + "?connection=redisson");
                LockClient others = LockClient.over(RedisBackend.onRedisson(redisson), ClientOptions.defaults())) {
            HandOver.between(locks, others, name);
            HandOver.between(others, locks, name);
            together(locks, name);
            together(others, name);
        } finally {
            redisson.shutdown();
        }
        System.out.println("locked through Redisson");
        try (LockClient locks = LockClient.connect(arguments[2] + "?connection=redisson");
                Lease lease = locks.lock(name).acquire()) {
            System.out.println("locked with a password, token " + lease.fencingToken());
        }
    }

    /** So many that calls share a batch. */
    private static void together(LockClient locks, String name) throws Exception {
        List<CompletableFuture<Lease>> leases = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            leases.add(locks.lock(name + i).acquireAsync());
        }
        for (CompletableFuture<Lease> lease : leases) {
            lease.get(30, TimeUnit.SECONDS).release();
        }
    }
}
