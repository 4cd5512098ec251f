package io.hasp.evaluation.measure;

/** The extent of a comparison. Each tier includes the locks of the one before, and all but {@link #CURVES} its experiments. */
public enum ComparisonTier {
    /** Within a minute. */
    QUICK,
    /** Enough to choose a lock. */
    USUAL,
    /** The points of curves instead of the usual experiments. */
    CURVES,
    /** Everything, for those who develop a lock. */
    FULL
}
