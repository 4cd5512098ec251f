package io.hasp.spi;

/** The outcome of {@link LockBackend#release}. */
public enum Released {
    /** The holder had the lock and gave it up. */
    RELEASED,
    /** The holder did not have the lock; whatever it had queued is withdrawn. */
    NOT_HELD
}
