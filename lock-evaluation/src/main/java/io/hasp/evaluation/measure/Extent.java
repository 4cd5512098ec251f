package io.hasp.evaluation.measure;

/** How much is measured, the least first. Each includes what the one before measures. */
public enum Extent {
    /** Within a minute. */
    QUICK,
    /** What somebody needs who has to choose a lock. */
    USUAL,
    /** Everything there is, for those who work on a lock. */
    FULL
}
