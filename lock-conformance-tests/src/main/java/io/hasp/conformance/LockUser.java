package io.hasp.conformance;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One client of the lock under test, as one process would use it. Thread-safe. */
public interface LockUser extends AutoCloseable {

    /**
     * Tries to acquire a lock.
     *
     * @param lock the lock's name
     * @param wait the longest time in the queue; zero makes one attempt
     * @return empty only if another client held the lock for the whole wait
     * @throws Exception on any failure; an outage is an exception, never empty
     */
    Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception;

    /**
     * Tries to acquire a lock for a fixed time, without renewal.
     *
     * @param lock the lock's name
     * @param wait the longest time in the queue; zero makes one attempt
     * @param lease the longest time of the hold
     * @return empty only if another client held the lock for the whole wait
     * @throws UnsupportedOperationException if the lock does not claim {@link LockSubject.Claimed#FIXED_LEASE}
     * @throws Exception on any other failure
     */
    default Optional<Hold> tryAcquire(String lock, Duration wait, Duration lease) throws Exception {
        throw new UnsupportedOperationException("no fixed leases");
    }

    /**
     * Tries to acquire a shared lock.
     *
     * @param lock the lock's name
     * @param mode the mode of the hold
     * @param wait the longest time in the queue; zero makes one attempt
     * @return empty only if the lock had no room for the whole wait, or others were queued first
     * @throws UnsupportedOperationException if the lock claims neither {@link LockSubject.Claimed#READ_WRITE} nor
     *     {@link LockSubject.Claimed#SEMAPHORE}
     * @throws Exception on any other failure
     */
    default Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws Exception {
        requireExclusive(mode);
        return tryAcquire(lock, wait);
    }

    /**
     * Tries to acquire a shared lock for a fixed time, without renewal.
     *
     * @param lock the lock's name
     * @param mode the mode of the hold
     * @param wait the longest time in the queue; zero makes one attempt
     * @param lease the longest time of the hold
     * @return empty only if the lock had no room for the whole wait, or others were queued first
     * @throws UnsupportedOperationException if the lock does not claim {@link LockSubject.Claimed#FIXED_LEASE}, or no
     *     sharing
     * @throws Exception on any other failure
     */
    default Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait, Duration lease) throws Exception {
        requireExclusive(mode);
        return tryAcquire(lock, wait, lease);
    }

    /**
     * Tries to take several exclusive locks together, all of them or none, for a subject that claims
     * {@link LockSubject.Claimed#SEVERAL}.
     *
     * @param locks the names of the locks
     * @param wait the longest wait for all of them
     * @return a hold of all locks, whose token is empty; empty if another client has one of them
     * @throws Exception if the lock's server fails
     */
    default Optional<Hold> tryAcquireAll(List<String> locks, Duration wait) throws Exception {
        throw new UnsupportedOperationException("no several locks at once");
    }

    private static void requireExclusive(LockMode mode) {
        if (!mode.equals(LockMode.EXCLUSIVE)) {
            throw new UnsupportedOperationException("no lock for " + mode);
        }
    }

    /** Closes the client and ends its remaining holds. */
    @Override
    void close() throws Exception;
}
