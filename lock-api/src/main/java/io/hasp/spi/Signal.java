package io.hasp.spi;

/**
 * Reports an event of one holder without a request. A signal may be spurious, late or missing: the engine verifies it, and has a poll or a
 * deadline for a missing one.
 */
public enum Signal {
    /** A waiting holder may get the lock now: attempt again. */
    MAYBE_FREE,
    /** A held grant can't be confirmed at present (connection suspended). */
    SUSPECT,
    /** The connection is back, perhaps to another server: renew to confirm. Until then the grant is in doubt, as after {@link #SUSPECT}. */
    RESTORED,
    /** The server no longer keeps the grant (session expired, node deleted). Final. */
    LOST,
    /**
     * Another holder requests a lock whose grant was recallable, or the backend could not report such a request any more (its subscription
     * is gone). May come before the answer that brings the grant. A grant that is kept without a use is released at once. A grant in use is
     * renewed once with a claim that no longer {@linkplain Claim#keeps keeps}, and is not kept at its release.
     */
    WANTED
}
