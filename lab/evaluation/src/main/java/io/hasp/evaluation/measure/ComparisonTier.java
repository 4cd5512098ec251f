package io.hasp.evaluation.measure;

/** The extent of a comparison, the smallest first. Each tier includes the measurements of the one before. */
public enum ComparisonTier {
    /** Within a minute. */
    QUICK,
    /** Enough to choose a lock. */
    USUAL,
    /** Everything, for those who develop a lock. */
    FULL
}
