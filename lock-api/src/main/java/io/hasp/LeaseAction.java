package io.hasp;

/**
 * Work done under a lock that has no result.
 *
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface LeaseAction<X extends Exception> {

    /**
     * Does the work.
     *
     * @param lease held when the work begins; its token belongs into every protected write
     * @throws X whatever the work throws; the lock is released all the same
     */
    void run(Lease lease) throws X;
}
