package io.hasp.conformance;

import java.time.Duration;
import java.util.Optional;

/** One client of the lock under test, as one process would have it. Thread-safe. */
public interface LockUser extends AutoCloseable {

    /**
     * Tries to take a lock.
     *
     * @param lock its name
     * @param wait how long to queue; zero makes one attempt
     * @return empty only if somebody else had it for the whole wait
     * @throws Exception for everything else: an outage is an exception, never empty
     */
    Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception;

    /**
     * Tries to take a lock for a fixed time, without renewal.
     *
     * @param lock its name
     * @param wait how long to queue; zero makes one attempt
     * @param lease how long to hold it at most
     * @return empty only if somebody else had it for the whole wait
     * @throws UnsupportedOperationException if the lock does not claim {@link LockSubject.Claimed#FIXED_LEASE}
     * @throws Exception for everything else
     */
    default Optional<Hold> tryAcquire(String lock, Duration wait, Duration lease) throws Exception {
        throw new UnsupportedOperationException("no fixed leases");
    }

    /** Ends the client, and whatever it still holds. */
    @Override
    void close() throws Exception;
}
