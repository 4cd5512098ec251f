package io.hasp.spi;

/**
 * Sends the requests that one thread makes together. Each request keeps its own answer: granted, refused, failed or unknown, as if it had
 * been made alone. Thread-safe.
 */
@FunctionalInterface
public interface RequestCombiner {

    /**
     * Runs a task that makes requests of the backend and does not wait for their answers. All requests are sent by the return of this
     * method. Stages that would be complete after a call that blocks complete at the end of this method, on the calling thread.
     *
     * @param requests makes the requests; run once, on the calling thread
     */
    void combine(Runnable requests);
}
