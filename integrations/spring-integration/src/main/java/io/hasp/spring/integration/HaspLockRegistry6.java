package io.hasp.spring.integration;

import io.hasp.LockClient;
import io.hasp.LockOptions;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * What {@link HaspLockRegistry} is, for Spring Integration 6.5: its interfaces have no type parameters, and it has no {@code DistributedLock} with a
 * time to live for each lock. All that is said there holds here. Thread-safe.
 */
// Raw, or a compiler that has the interfaces of 6.5 on its class path would look for their type parameters.
@SuppressWarnings("rawtypes")
public final class HaspLockRegistry6 extends AnyLockRegistry implements RenewableLockRegistry, ExpirableLockRegistry {

    /**
     * As {@link HaspLockRegistry#HaspLockRegistry(LockClient)}.
     *
     * @param client used by the registry, and closed by whoever made it
     */
    public HaspLockRegistry6(LockClient client) {
        this(client, "", LockOptions.defaults());
    }

    /**
     * As {@link HaspLockRegistry#HaspLockRegistry(LockClient, String, LockOptions)}.
     *
     * @param client used by the registry, and closed by whoever made it
     * @param registryKey what the name of each of its locks begins with, before a colon; empty if keys are names as they are
     * @param options how locks are held
     */
    public HaspLockRegistry6(LockClient client, String registryKey, LockOptions options) {
        super(client, registryKey, options);
    }

    /**
     * As {@link HaspLockRegistry#obtain}.
     *
     * @param lockKey a text, or an object whose {@code toString} says the same in all processes
     * @return equal to others of the same key
     * @throws IllegalArgumentException if the key is refused
     */
    @Override
    public Lock obtain(Object lockKey) {
        return locks.lock(lockKey);
    }
}
