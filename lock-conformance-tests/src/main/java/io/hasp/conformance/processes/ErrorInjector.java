package io.hasp.conformance.processes;

/**
 * A {@link SubjectFactory} that can make its client fail from within, as if heap or stack ran out in the middle of a
 * call. Thread-safe.
 */
public interface ErrorInjector {

    /**
     * Makes errors occur at random from now on.
     *
     * @param seed of all choices
     */
    void throwErrors(long seed);

    /**
     * Ends the random errors.
     *
     * @throws Exception if a resource does not recover from the errors, such as a socket; names the resource
     */
    void stopErrors() throws Exception;
}
