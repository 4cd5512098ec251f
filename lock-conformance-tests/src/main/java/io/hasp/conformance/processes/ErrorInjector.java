package io.hasp.conformance.processes;

/**
 * A {@link SubjectFactory} that can make its client fail from within, as if heap or stack were used up now and then in the middle of a
 * call. Thread-safe.
 */
public interface ErrorInjector {

    /**
     * From now on errors come at random.
     *
     * @param seed of all choices
     */
    void throwErrors(long seed);

    /**
     * Ends that.
     *
     * @throws Exception if something that errors have broken off does not come back, such as a socket; says what
     */
    void stopErrors() throws Exception;
}
