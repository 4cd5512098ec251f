package io.hasp;

/**
 * Works under a lock, and returns a result.
 *
 * @param <T> the type of its result
 * @param <X> the type of its exceptions
 */
@FunctionalInterface
public interface LeaseFunction<T, X extends Exception> {

    /**
     * Does the work.
     *
     * @param lease held when the work begins; send its token with every protected write
     * @return the result
     * @throws X an exception of the work; the lock is released all the same
     */
    T apply(Lease lease) throws X;
}
