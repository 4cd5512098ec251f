package io.hasp.evaluation.measure;

/** How much is measured, the least first. Each includes what the one before measures. */
public enum ComparisonTier {
    /** Within a minute. */
    QUICK,
    /** Enough to choose a lock. */
    USUAL,
    /** Everything, for those who develop a lock. */
    FULL
}
