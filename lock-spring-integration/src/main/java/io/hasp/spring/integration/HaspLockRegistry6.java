package io.hasp.spring.integration;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * What {@link HaspLockRegistry} is, for Spring Integration 6.5: its interfaces have no type parameters, and it has no {@code DistributedLock} with a
 * time to live for each lock. All that is said there holds here. Thread-safe.
 */
// Raw, or a compiler that has the interfaces of 6.5 on its class path would look for their type parameters.
@SuppressWarnings("rawtypes")
public final class HaspLockRegistry6 implements RenewableLockRegistry, ExpirableLockRegistry {
    private final RegistryLocks locks;

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
        locks = new RegistryLocks(client, registryKey, options);
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

    /**
     * As {@link HaspLockRegistry#renewLock(Object)}; a lock has an end if the options of the registry have a fixed lease.
     *
     * @param lockKey as in {@link #obtain}
     * @throws IllegalMonitorStateException if the calling thread does not hold it
     * @throws IllegalStateException if it was lost
     */
    @Override
    public void renewLock(Object lockKey) {
        locks.renew(lockKey, null);
    }

    /**
     * As {@link HaspLockRegistry#renewLock(Object, Duration)}.
     *
     * @param lockKey as in {@link #obtain}
     * @param ttl how long from now on at least, 10 ms to 365 days
     * @throws IllegalArgumentException if the time is out of that range
     * @throws IllegalMonitorStateException if the calling thread does not hold it
     * @throws IllegalStateException if it was lost
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        locks.renew(lockKey, ttl);
    }

    /**
     * As {@link HaspLockRegistry#expireUnusedOlderThan}.
     *
     * @param age of no meaning here
     */
    @Override
    public void expireUnusedOlderThan(long age) {}

    /**
     * As {@link HaspLockRegistry#lease}.
     *
     * @param lockKey as in {@link #obtain}
     * @return empty if the calling thread has not locked
     */
    public Optional<Lease> lease(Object lockKey) {
        return locks.lease(lockKey);
    }

    /**
     * As {@link HaspLockRegistry#leaderInitiator}.
     *
     * @param candidate told of its leadership
     * @return not started
     */
    public LockRegistryLeaderInitiator leaderInitiator(Candidate candidate) {
        return new LeaderInitiator(locks, candidate);
    }

    /** Names the registry, for logs. */
    @Override
    public String toString() {
        return "HaspLockRegistry6[" + locks + "]";
    }
}
