package io.hasp.spring.integration;

import io.hasp.LockClient;
import io.hasp.LockOptions;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * Spring Integration's {@code LockRegistry} on a {@link LockClient}, for generation 7. For 6.5 use
 * {@link HaspLockRegistry6}. Thread-safe.
 *
 * <p><b>Locks</b> are owned by a thread and re-entrant. They exclude all other threads and clients that use the same
 * name, through any API. All registries of a client with the same registry key have the same locks. {@code lock()} and
 * its variants hold and renew a lock until it is unlocked, unless the registry's options have a fixed lease. With a
 * time to live the lock ends by itself. Re-entry with a time to live extends such a lock to that time; re-entry without
 * one is refused. The registry stores nothing for a lock that is not held, so obtaining a lock costs no memory. Two
 * locks with the same key are equal, but not the same object.
 *
 * <p><b>Exceptions.</b> The result {@code false} means that another client has the lock, and nothing else. An outage, a
 * closed client and the re-entry of a lock that may be lost throw a
 * {@link org.springframework.dao.CannotAcquireLockException CannotAcquireLockException} with Hasp's exception as the
 * cause. {@code unlock} throws {@link IllegalMonitorStateException} if the thread has not locked,
 * {@link java.util.ConcurrentModificationException} if the lock was lost before, and
 * {@link org.springframework.dao.DataAccessResourceFailureException DataAccessResourceFailureException} if the service
 * did not confirm the release. In each of these cases the thread's hold is reduced, once. Conditions are not supported.
 *
 * <p><b>Loss.</b> With {@link LockOptions#onLoss} {@link io.hasp.OnLoss#INTERRUPT INTERRUPT} in the registry's options,
 * a thread that holds a lock is interrupted when the lock is lost or its client closes, but not after it begins to
 * unlock. The client's own option applies to {@code call} and {@code run}, not to these locks. If other code interrupts
 * the thread as well before it unlocks, one of the two interrupts is lost.
 */
public final class HaspLockRegistry extends AnyLockRegistry
        implements RenewableLockRegistry<DistributedLock>, ExpirableLockRegistry<DistributedLock> {

    /**
     * Creates a registry with default options, whose keys are the names of its locks.
     *
     * @param client used by the registry; the caller closes it
     */
    public HaspLockRegistry(LockClient client) {
        this(client, "", LockOptions.defaults());
    }

    /**
     * Creates a registry.
     *
     * @param client used by the registry; the caller closes it
     * @param registryKey the prefix of its locks' names, before a colon; empty if the keys are the names
     * @param options the options of holds without a time to live
     */
    public HaspLockRegistry(LockClient client, String registryKey, LockOptions options) {
        super(client, registryKey, options);
    }

    /**
     * Returns the lock of a key. Sends no request.
     *
     * @param lockKey a text, or an object whose {@code toString} is the same in all processes
     * @return equal to all locks of the same key
     * @throws IllegalArgumentException if the key is null, an array or an object without a {@code toString} of its own,
     *     or if its text is not a valid lock name ({@link LockClient#lock(String)})
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return new DistributedRegistryLock(locks.lock(lockKey));
    }
}
