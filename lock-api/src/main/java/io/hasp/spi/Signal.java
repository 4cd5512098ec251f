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
    /** The connection is back, perhaps to another server: renew to confirm. Until then the grant is in doubt, as after {@link #SUSPECT}. */
    RESTORED,
    /** The server no longer keeps the grant (session expired, node deleted). Final. */
    LOST,
    /**
     * For a grant that was recallable: another holder wants the lock, or the backend could not tell any more if one did (its
     * subscription is gone). It may come before the answer that brings the grant. A grant that is kept without a use is released at
     * once. One in use is renewed once with a claim that no longer {@linkplain Claim#keeps keeps}, and is not kept at its release.
     */
    WANTED
}
