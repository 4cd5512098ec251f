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

/** An application takes locks on a Redisson client of its own, beside locks through Jedis. */
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
        RedissonClient redisson = redisson(arguments[1]);
        try (LockClient locks = LockClient.over(RedisBackend.onRedisson(redisson), ClientOptions.defaults());
                LockClient others = LockClient.connect(arguments[1])) {
            HandOver.between(locks, others, name);
            HandOver.between(others, locks, name);
            together(locks, name);
        } finally {
            redisson.shutdown();
        }
        System.out.println("locked through Redisson");
        RedissonClient withPassword = redisson(arguments[2]);
        try (LockClient locks = LockClient.over(RedisBackend.onRedisson(withPassword), ClientOptions.defaults());
                Lease lease = locks.lock(name).acquire()) {
            System.out.println("locked with a password, token " + lease.fencingToken());
        } finally {
            withPassword.shutdown();
        }
    }

    private static RedissonClient redisson(String address) {
        Config config = new Config();
        config.useSingleServer().setAddress(address);
        return Redisson.create(config);
    }

    /** Many calls at the same time. */
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
