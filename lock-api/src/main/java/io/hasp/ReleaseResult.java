package io.hasp;

/** Describes the finding of {@link Lease#release()}. */
public enum ReleaseResult {
    /** The lock was held until now, and is free or has its next holder. */
    RELEASED,
    /** This lease was released before; nothing was done. */
    ALREADY_RELEASED,
    /** The lock was lost before: another client may have held it since. */
    LOST
}
