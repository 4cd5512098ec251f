package io.hasp.conformance.history;

import java.time.Duration;
import java.util.Optional;

/** The leases that the servers stored while clients held them. */
@FunctionalInterface
public interface StoredLeases {

    /**
     * For how long the servers would have kept a lease.
     *
     * @param lock the lock's name
     * @param token the lease's fencing token, as its client has it
     * @param moment when, on {@link System#nanoTime}
     * @return the time left; zero or less if it was over, or another holder had the lock; empty if that is not known
     */
    Optional<Duration> left(String lock, long token, long moment);
}
