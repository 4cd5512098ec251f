package io.hasp;

/** What {@link Lease#release()} found. */
public enum ReleaseResult {
    /** The lock was held until now and is free, or its next holder's. */
    RELEASED,
    /** This lease was released before; nothing was done. */
    ALREADY_RELEASED,
    /** The lock was lost before: another may have held it since. */
    LOST
}
