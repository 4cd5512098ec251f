package io.hasp;

/**
 * Work done under a lock.
 *
 * @param <T> what it returns
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface LeaseFunction<T, X extends Exception> {

    /**
     * Does the work.
     *
     * @param lease held when the work begins; its token belongs into every protected write
     * @return the result
     * @throws X whatever the work throws; the lock is released all the same
     */
    T apply(Lease lease) throws X;
}
