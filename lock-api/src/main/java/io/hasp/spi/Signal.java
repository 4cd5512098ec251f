package io.hasp.spi;

/**
 * What a backend tells about one holder without being asked. A signal may be spurious, late or missing: the engine
 * verifies it, and a poll or a deadline stands behind each.
 */
public enum Signal {
    /** A waiting holder may get the lock now: attempt again. */
    MAYBE_FREE,
    /** A held grant can't be confirmed at present (connection suspended). */
    SUSPECT,
    /** The connection is back: renew to confirm. */
    RESTORED,
    /** The server no longer keeps the grant (session expired, node deleted). Final. */
    LOST
}
