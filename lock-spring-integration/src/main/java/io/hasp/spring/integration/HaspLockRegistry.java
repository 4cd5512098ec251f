package io.hasp.spring.integration;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import java.time.Duration;
import java.util.Optional;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
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
public final class HaspLockRegistry
        implements RenewableLockRegistry<DistributedLock>, ExpirableLockRegistry<DistributedLock> {
    private final RegistryLocks locks;

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
        locks = new RegistryLocks(client, registryKey, options);
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

    /**
     * Prolongs a lock that the calling thread holds with a time to live, by as much from now on. A lock without one is renewed anyway, and
     * only looked at.
     *
     * @param lockKey as in {@link #obtain}
     * @throws IllegalMonitorStateException if the calling thread does not hold it
     * @throws IllegalStateException if it was lost
     * @throws org.springframework.dao.DataAccessResourceFailureException if the service did not confirm it
     */
    @Override
    public void renewLock(Object lockKey) {
        locks.renew(lockKey, null);
    }

    /**
     * Like {@link #renewLock(Object)}, with another time to live.
     *
     * @param lockKey as in {@link #obtain}
     * @param ttl how long from now on at least, 10 ms to 365 days; a lock is never shortened
     * @throws IllegalArgumentException if the time is out of that range
     * @throws IllegalMonitorStateException as in {@link #renewLock(Object)}
     * @throws IllegalStateException as in {@link #renewLock(Object)}
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        locks.renew(lockKey, ttl);
    }

    /**
     * Does nothing: no lock is kept that is not held.
     *
     * @param age of no meaning here
     */
    @Override
    public void expireUnusedOlderThan(long age) {}

    /**
     * The lease on which the calling thread holds a lock: for its fencing token, and for what it is good for. To give it back, unlock.
     *
     * @param lockKey as in {@link #obtain}
     * @return empty if the calling thread has not locked; a lease that was lost until it has unlocked
     */
    public Optional<Lease> lease(Object lockKey) {
        return locks.lease(lockKey);
    }

    /**
     * A {@link LockRegistryLeaderInitiator} on the lock that has the candidate's role as its key. Its leadership ends before another can
     * begin, which an initiator that was made with {@code new} on this registry does not achieve: {@code isLeader} of its contexts looks at
     * the clock of the lease; the candidate's {@code onRevoked}, and the listeners of its event, are called <em>before</em> the lock is given back;
     * and a loss interrupts the leader instead of waiting for the next heartbeat. Its {@code stop} waits for the end of the leadership, for
     * 10 seconds at most.
     *
     * <p>The lock is renewed for as long as it leads: a fixed lease and a max hold of the registry's options are not used.
     *
     * @param candidate told of its leadership; its {@code onRevoked} has to end the work of the leader before it returns. It is interrupted
     *     if the lock is lost meanwhile; an exception that it throws is logged
     * @return not started; as a bean it starts with the application
     */
    public LockRegistryLeaderInitiator leaderInitiator(Candidate candidate) {
        return new LeaderInitiator(locks, candidate);
    }

    /** Names the registry, for logs. */
    @Override
    public String toString() {
        return "HaspLockRegistry[" + locks + "]";
    }
}
