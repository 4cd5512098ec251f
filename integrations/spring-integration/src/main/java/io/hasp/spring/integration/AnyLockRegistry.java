package io.hasp.spring.integration;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import java.time.Duration;
import java.util.Optional;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/**
 * The methods of a registry in every generation of Spring Integration. The class implements none of Spring's
 * interfaces, because their types differ between the generations. Thread-safe.
 */
abstract class AnyLockRegistry {
    final RegistryLocks locks;

    AnyLockRegistry(LockClient client, String registryKey, LockOptions options) {
        locks = new RegistryLocks(client, registryKey, options);
    }

    /**
     * Extends a lock that the calling thread holds with a time to live, by that time from now on. A lock without a time
     * to live is renewed anyway, and only checked.
     *
     * @param lockKey as in {@code obtain}
     * @throws IllegalMonitorStateException if the calling thread does not hold it
     * @throws IllegalStateException if it was lost
     * @throws org.springframework.dao.DataAccessResourceFailureException if the service did not confirm it
     */
    public void renewLock(Object lockKey) {
        locks.renew(lockKey, null);
    }

    /**
     * Extends a lock as {@link #renewLock(Object)} does, with another time to live.
     *
     * @param lockKey as in {@code obtain}
     * @param ttl the least time from now on, 10 ms to 365 days; a lock is never shortened
     * @throws IllegalArgumentException if the time is out of that range
     * @throws IllegalMonitorStateException as in {@link #renewLock(Object)}
     * @throws IllegalStateException as in {@link #renewLock(Object)}
     */
    public void renewLock(Object lockKey, Duration ttl) {
        locks.renew(lockKey, ttl);
    }

    /**
     * Does nothing: the registry stores no locks that are not held.
     *
     * @param age ignored
     */
    public void expireUnusedOlderThan(long age) {}

    /**
     * Returns the lease of the calling thread's hold, for its fencing token and its validity. To release it, unlock the
     * lock.
     *
     * @param lockKey as in {@code obtain}
     * @return empty if the calling thread has not locked; until it unlocks, a lost lease is also returned
     */
    public Optional<Lease> lease(Object lockKey) {
        return locks.lease(lockKey);
    }

    /**
     * Creates a {@link LockRegistryLeaderInitiator} that is one candidate of a {@link io.hasp.LeaderElection}, on the
     * lock whose key is the candidate's role. Its leadership ends before another one can begin. An initiator made with
     * {@code new} on this registry does not guarantee that. The differences:
     *
     * <ul>
     * <li>{@code isLeader} of its contexts checks the lease's clock; the candidate's context is a {@link TermContext}.
     * <li>The candidate's {@code onRevoked} and the listeners of its event are called <em>before</em> the lock is
     * released.
     * <li>A loss interrupts the leader at once, not at the next heartbeat. The heartbeat is the interval of events about
     * failures to acquire, and nothing else.
     * <li>The candidate is called on a thread of the election's own, so a task executor and a busy wait have no effect.
     * If {@code onGranted} throws, the candidate queues again after one to one and a half seconds.
     * </ul>
     *
     * <p>Its {@code stop} waits for the end of the leadership, at most for {@link io.hasp.ClientOptions#closeWithin}.
     * The lock is renewed during the leadership: a fixed lease and a max hold of the registry's options are not used.
     * It belongs to the election, so a candidate that locks its own role through this registry waits for itself.
     *
     * @param candidate notified of its leadership; its {@code onRevoked} must end the leader's work before it returns.
     *     It is interrupted if the lock is lost during the call, or its client no longer waits for it; an exception that
     *     it throws is logged
     * @return not started; as a bean it starts with the application
     */
    public LockRegistryLeaderInitiator leaderInitiator(Candidate candidate) {
        return new LeaderInitiator(locks, candidate);
    }

    /** Names the registry, for logs. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + locks + "]";
    }
}
