package io.hasp;

/**
 * In which order clients that wait get a lock. Threads of one client are served in the order in which they came, whatever this
 * says ({@link DistributedLock#acquire}).
 *
 * <p>Later versions may add an order: a {@code switch} over it needs a {@code default}.
 */
public enum Ordering {
    /** Whoever comes first after a release; nobody is promised a turn. */
    NONE,
    /** First come, first served between clients. */
    FIFO
}
