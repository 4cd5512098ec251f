package io.hasp.evaluation.servers;

import io.hasp.evaluation.measure.Experiments;
import java.time.Duration;

/** The setup of a lock's clients. */
public enum ClientProfile {
    /** With the defaults of each library. */
    USUAL,
    /** With {@link Experiments#LEASE} and {@link Experiments#SESSION}, so that a trial can wait for their end. */
    SHORT,
    /** As usual, but with connections for a single thread only, so that many clients fit a small machine. */
    ONE_THREAD;

    /**
     * After how long Redis frees the lock of a silent client.
     *
     * @param usual the default of the library
     * @return that, or the short lease
     */
    public Duration lease(Duration usual) {
        return this == SHORT ? Experiments.LEASE : usual;
    }

    /**
     * After how long ZooKeeper ends the session of a silent client.
     *
     * @param usual the default of the library
     * @return that, or the short session
     */
    public Duration session(Duration usual) {
        return this == SHORT ? Experiments.SESSION : usual;
    }

    /**
     * Returns true if a client serves a single thread.
     *
     * @return true if it needs connections for one thread only
     */
    public boolean oneThread() {
        return this == ONE_THREAD;
    }
}
