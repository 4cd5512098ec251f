package io.hasp.spring.integration;

import io.hasp.LockClient;
import io.hasp.LockOptions;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * Spring Integration's {@code LockRegistry} on a {@link LockClient}, for generation 7; for 6.5 there is {@link HaspLockRegistry6}. Thread-safe.
 *
 * <p><b>Locks</b> are owned by a thread and re-entrant, and exclude the threads and clients that use the same name, whatever
 * they use it through. All registries of a client that have the same registry key have the same locks. {@code lock()} and its like
 * hold a lock until it is unlocked, renewed all the while, unless the options of the registry have a fixed lease; with a
 * time to live it ends by itself. Re-entry with a time to live prolongs such a lock to that; re-entry without one is refused.
 * Nothing is kept of a lock that is not held: obtaining costs no memory, and two of the same key are equal, but not the same object.
 *
 * <p><b>Exceptions.</b> A lock that was not had because another has it is {@code false}, and nothing else is: an outage, a closed client
 * and the re-entry of a lock that is not certainly held any more are a
 * {@link org.springframework.dao.CannotAcquireLockException CannotAcquireLockException}, with Hasp's exception as the cause. {@code unlock} throws
 * {@link IllegalMonitorStateException} if the thread has not locked, {@link java.util.ConcurrentModificationException} if the lock was lost before, and
 * {@link org.springframework.dao.DataAccessResourceFailureException DataAccessResourceFailureException} if the service did not confirm the release. In each case the lock is
 * undone, once. There are no conditions.
 *
 * <p><b>Loss.</b> With {@link LockOptions#onLoss} {@link io.hasp.OnLoss#INTERRUPT INTERRUPT} in the registry's options, a thread that holds a lock is
 * interrupted when that is lost or its client closes; not any more once it unlocks. What the options of the client say of that is for {@code call} and {@code run},
 * not for these locks. If somebody else interrupts the thread as well before it unlocks, one of the two interrupts is lost.
 */
public final class HaspLockRegistry extends AnyLockRegistry
        implements RenewableLockRegistry<DistributedLock>, ExpirableLockRegistry<DistributedLock> {

    /**
     * A registry whose keys are names of locks as they are, with default options.
     *
     * @param client used by the registry, and closed by whoever made it
     */
    public HaspLockRegistry(LockClient client) {
        this(client, "", LockOptions.defaults());
    }

    /**
     * A registry.
     *
     * @param client used by the registry, and closed by whoever made it
     * @param registryKey what the name of each of its locks begins with, before a colon; empty if keys are names as they are
     * @param options how locks are held without a time to live
     */
    public HaspLockRegistry(LockClient client, String registryKey, LockOptions options) {
        super(client, registryKey, options);
    }

    /**
     * The lock of a key. Nothing is sent.
     *
     * @param lockKey a text, or an object whose {@code toString} says the same in all processes
     * @return equal to others of the same key
     * @throws IllegalArgumentException if the key is null, an array or an object without a {@code toString} of its own, or if its text is no
     *     name of a lock ({@link LockClient#lock(String)})
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return new DistributedRegistryLock(locks.lock(lockKey));
    }
}
