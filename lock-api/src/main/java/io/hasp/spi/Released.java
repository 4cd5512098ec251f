package io.hasp.spi;

/** Describes the finding of {@link LockBackend#release}. */
public enum Released {
    /** The holder had the lock and gave it up. */
    RELEASED,
    /** The holder did not have the lock; its place in the queue, if any, is withdrawn. */
    NOT_HELD
}
