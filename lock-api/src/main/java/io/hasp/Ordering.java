package io.hasp;

/**
 * Sets the order in which waiting clients get a lock. Threads of one client are served in the order in which they came, with either value
 * ({@link DistributedLock#acquire}).
 *
 * <p>Later versions may add an order: a {@code switch} over it needs a {@code default}.
 */
public enum Ordering {
    /** The first client to ask after a release gets the lock; no client is promised a turn. */
    NONE,
    /** First come, first served between clients. */
    FIFO
}
