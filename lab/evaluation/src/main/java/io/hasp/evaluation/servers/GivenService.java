package io.hasp.evaluation.servers;

import io.hasp.evaluation.measure.ServerCounters;

/** One service that the user runs, as one comparison uses it. */
interface GivenService {

    /**
     * Checks that it can be reached and permits what a comparison does.
     *
     * @throws BackendRefused if not; nothing is left there, or only for a second if deleting is not permitted
     * @throws InterruptedException if the thread was interrupted
     */
    void check() throws InterruptedException;

    /** Its counters, as far as it gives them. They include what other clients do. */
    ServerCounters counters();

    void addVersions(Versions versions);

    /**
     * Removes everything that has the name of this comparison.
     *
     * @throws Exception if that can't be done
     */
    void tidy() throws Exception;
}
