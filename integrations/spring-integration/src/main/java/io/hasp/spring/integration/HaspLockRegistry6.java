package io.hasp.spring.integration;

import io.hasp.LockClient;
import io.hasp.LockOptions;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * The {@link HaspLockRegistry} for Spring Integration 6.5, whose interfaces have no type parameters and no
 * {@code DistributedLock} with a time to live per lock. Everything else in that class's description applies here.
 * Thread-safe.
 */
// Raw types: otherwise a compiler with the interfaces of 6.5 on its class path would expect their type parameters.
@SuppressWarnings("rawtypes")
public final class HaspLockRegistry6 extends AnyLockRegistry implements RenewableLockRegistry, ExpirableLockRegistry {

    /**
     * Creates a registry as {@link HaspLockRegistry#HaspLockRegistry(LockClient)} does.
     *
     * @param client used by the registry; the caller closes it
     */
    public HaspLockRegistry6(LockClient client) {
        this(client, "", LockOptions.defaults());
    }

    /**
     * Creates a registry as {@link HaspLockRegistry#HaspLockRegistry(LockClient, String, LockOptions)} does.
     *
     * @param client used by the registry; the caller closes it
     * @param registryKey the prefix of its locks' names, before a colon; empty if the keys are the names
     * @param options the options of holds
     */
    public HaspLockRegistry6(LockClient client, String registryKey, LockOptions options) {
        super(client, registryKey, options);
    }

    /**
     * Returns the lock of a key, as {@link HaspLockRegistry#obtain} does.
     *
     * @param lockKey a text, or an object whose {@code toString} is the same in all processes
     * @return equal to all locks of the same key
     * @throws IllegalArgumentException if the key is refused
     */
    @Override
    public Lock obtain(Object lockKey) {
        return locks.lock(lockKey);
    }
}
