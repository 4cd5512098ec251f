package io.hasp.evaluation.servers;

import io.hasp.evaluation.measure.Experiments;
import java.time.Duration;

/** How locks are set up. */
public enum ClientProfile {
    /** As each library does it by itself. */
    USUAL,
    /** With {@link Experiments#LEASE} and {@link Experiments#SESSION}, so that what follows their end can be compared and awaited. */
    SHORT,
    /** As usual, but a client that serves a single thread has connections for no more: many of them fit a small machine. */
    ONE_THREAD;

    /**
     * After how long Redis frees the lock of a silent client.
     *
     * @param usual what the library does by itself
     * @return that, unless it is to be short
     */
    public Duration lease(Duration usual) {
        return this == SHORT ? Experiments.LEASE : usual;
    }

    /**
     * After how long ZooKeeper ends the session of a silent client.
     *
     * @param usual what the library does by itself
     * @return that, unless it is to be short
     */
    public Duration session(Duration usual) {
        return this == SHORT ? Experiments.SESSION : usual;
    }

    /**
     * Whether a client serves a single thread.
     *
     * @return true if it needs connections for no more
     */
    public boolean oneThread() {
        return this == ONE_THREAD;
    }
}
