package io.hasp.evaluation.servers;

import io.hasp.evaluation.measure.ServerCounters;

/** One service that somebody else runs, for the time of one comparison. */
interface GivenService {

    /**
     * Looks whether it can be reached and permits what a comparison does.
     *
     * @throws BackendRefused if not; nothing is left there, or for a second where deleting is what is not permitted
     * @throws InterruptedException if the thread was interrupted
     */
    void check() throws InterruptedException;

    /** What it counts, whoever else uses it included, as far as it tells that. */
    ServerCounters counters();

    void addVersions(Versions versions);

    /**
     * Removes whatever carries the name of this comparison.
     *
     * @throws Exception if that can't be done
     */
    void tidy() throws Exception;
}
