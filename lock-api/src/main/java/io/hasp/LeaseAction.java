package io.hasp;

/**
 * Works under a lock, without a result.
 *
 * @param <X> the type of its exceptions
 */
@FunctionalInterface
public interface LeaseAction<X extends Exception> {

    /**
     * Does the work.
     *
     * @param lease held when the work begins; send its token with every protected write
     * @throws X an exception of the work; the lock is released all the same
     */
    void run(Lease lease) throws X;
}
