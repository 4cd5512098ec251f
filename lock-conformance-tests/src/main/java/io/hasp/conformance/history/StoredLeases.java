package io.hasp.conformance.history;

import java.time.Duration;
import java.util.Optional;

/** The servers' record of the leases while clients held them. */
@FunctionalInterface
public interface StoredLeases {

    /**
     * Returns the remaining time of a lease on the servers.
     *
     * @param lock the lock's name
     * @param token the lease's fencing token, as its client has it
     * @param moment the moment on {@link System#nanoTime}
     * @return the time left; zero or less if it was over, or another holder had the lock; empty if unknown
     */
    Optional<Duration> left(String lock, long token, long moment);

    /**
     * Describes the end of a lease by the servers' record, for {@link LossReport}.
     *
     * @param lock the lock's name
     * @param token the lease's fencing token, as its client has it
     * @param moment when the client found the lease lost, on {@link System#nanoTime}
     * @return when the last renewal reached the servers and when they dropped the lease; empty if nothing is recorded
     */
    default String lastSeen(String lock, long token, long moment) {
        return "";
    }
}
