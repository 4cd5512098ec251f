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

    /**
     * Tries to take a lock that others may share.
     *
     * @param lock its name
     * @param mode how to hold it
     * @param wait how long to queue; zero makes one attempt
     * @return empty only if there was no room for it for the whole wait, or others waited before it
     * @throws UnsupportedOperationException if the lock claims neither {@link LockSubject.Claimed#READ_WRITE} nor
     *     {@link LockSubject.Claimed#SEMAPHORE}
     * @throws Exception for everything else
     */
    default Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws Exception {
        requireExclusive(mode);
        return tryAcquire(lock, wait);
    }

    /**
     * Tries to take a lock that others may share for a fixed time, without renewal.
     *
     * @param lock its name
     * @param mode how to hold it
     * @param wait how long to queue; zero makes one attempt
     * @param lease how long to hold it at most
     * @return empty only if there was no room for it for the whole wait, or others waited before it
     * @throws UnsupportedOperationException if the lock does not claim {@link LockSubject.Claimed#FIXED_LEASE}, or no sharing
     * @throws Exception for everything else
     */
    default Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait, Duration lease) throws Exception {
        requireExclusive(mode);
        return tryAcquire(lock, wait, lease);
    }

    private static void requireExclusive(LockMode mode) {
        if (!mode.equals(LockMode.EXCLUSIVE)) {
            throw new UnsupportedOperationException("no lock for " + mode);
        }
    }

    /** Ends the client, and whatever it still holds. */
    @Override
    void close() throws Exception;
}
