package io.hasp;

import java.time.Duration;
import java.util.Optional;

/**
 * How one lock is held. Immutable; three different durations are never mixed: how long to <em>wait</em> is an argument of
 * the call, how long the server keeps the lock is the <em>lease</em>, and <em>max hold</em> caps automatic renewal.
 *
 * @param lease an explicit lease: the lock is held for at most this time and not renewed. Empty: renewed automatically
 *     for as long as the client lives and {@code maxHold} allows
 * @param maxHold after this time renewal stops and the lease is lost. Empty: no cap
 */
public record LockOptions(Optional<Duration> lease, Optional<Duration> maxHold) {
    private static final LockOptions DEFAULTS = new LockOptions(Optional.empty(), Optional.empty());

    /**
     * Checks both durations.
     *
     * @throws InvalidArgumentException naming the value and the rule: a lease takes 10 ms to 365 days
     */
    public LockOptions {
        lease.ifPresent(value -> Durations.lease("lease", value));
        maxHold.ifPresent(value -> Durations.lease("maxHold", value));
    }

    /**
     * Renewed automatically, without a cap.
     *
     * @return the default options
     */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Holds the lock for a fixed time, without renewal.
     *
     * @param lease 10 ms to 365 days
     * @return new options
     * @throws InvalidArgumentException if out of that range
     */
    public LockOptions lease(Duration lease) {
        return new LockOptions(Optional.of(Durations.lease("lease", lease)), maxHold);
    }

    /**
     * Caps automatic renewal.
     *
     * @param maxHold 10 ms to 365 days
     * @return new options
     * @throws InvalidArgumentException if out of that range
     */
    public LockOptions maxHold(Duration maxHold) {
        return new LockOptions(lease, Optional.of(Durations.lease("maxHold", maxHold)));
    }
}
