package io.hasp;

import static io.hasp.InvalidArgumentException.required;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How one lock is held: a start and withers, such as {@code LockOptions.defaults().fixedLease(Duration.ofSeconds(5))}. Immutable.
 * Options are equal if they say the same; the order in which they were given never matters, but that a renewed and a fixed lease
 * replace each other.
 *
 * <p>Different durations are never mixed: how long to <em>wait</em> is an argument of the call. How long the server keeps the
 * lock for a holder that falls silent is a <em>lease</em>: a <em>renewed</em> one lasts for as long as the lock is held, a
 * <em>fixed</em> one ends by itself. <em>Max hold</em> ends either.
 */
public final class LockOptions {
    private static final LockOptions DEFAULTS = new LockOptions(null, null, null, null);

    /** At most one of the two leases is there. */
    private final @Nullable Duration renewedLease;

    private final @Nullable Duration fixedLease;
    private final @Nullable Duration maxHold;
    private final @Nullable OnLoss onLoss;

    private LockOptions(
            @Nullable Duration renewedLease,
            @Nullable Duration fixedLease,
            @Nullable Duration maxHold,
            @Nullable OnLoss onLoss) {
        this.renewedLease = renewedLease;
        this.fixedLease = fixedLease;
        this.maxHold = maxHold;
        this.onLoss = onLoss;
    }

    /**
     * The client's renewed lease, its max hold if it has one, and what it does on a loss.
     *
     * @return the default options
     */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Holds the lock for as long as it is not released, with another lease than the client's: the time after which the lock of a
     * crashed holder is free again, where a lease and not a session is enforced. Replaces a fixed lease.
     *
     * @param lease 10 ms to 365 days
     * @return new options
     * @throws InvalidArgumentException if out of that range
     */
    public LockOptions renewedLease(Duration lease) {
        return new LockOptions(Durations.lease("renewedLease", lease), null, maxHold, onLoss);
    }

    /**
     * Holds the lock for a fixed time at most, without renewal. Replaces a renewed lease.
     *
     * @param lease 10 ms to 365 days
     * @return new options
     * @throws InvalidArgumentException if out of that range
     */
    public LockOptions fixedLease(Duration lease) {
        return new LockOptions(null, Durations.lease("fixedLease", lease), maxHold, onLoss);
    }

    /**
     * Caps how long the lock is held: then renewal stops, and the lease is lost.
     *
     * @param most 10 ms to 365 days
     * @return new options
     * @throws InvalidArgumentException if out of that range
     */
    public LockOptions maxHold(Duration most) {
        return new LockOptions(renewedLease, fixedLease, Durations.lease("maxHold", most), onLoss);
    }

    /**
     * Says what happens to work under this lock when the lease is lost, instead of what the client's options say.
     *
     * @param then whether the work is interrupted
     * @return new options
     * @throws InvalidArgumentException if null
     */
    public LockOptions onLoss(OnLoss then) {
        return new LockOptions(renewedLease, fixedLease, maxHold, required("onLoss", then));
    }

    /**
     * How long the server keeps the lock after each renewal.
     *
     * @return empty if it is the client's, or if the lease is a fixed one
     */
    public Optional<Duration> renewedLease() {
        return Optional.ofNullable(renewedLease);
    }

    /**
     * How long the lock is held at most, without renewal.
     *
     * @return empty if the lease is renewed
     */
    public Optional<Duration> fixedLease() {
        return Optional.ofNullable(fixedLease);
    }

    /**
     * After which time the lease ends, whatever was confirmed.
     *
     * @return empty if it is the client's, if that has one
     */
    public Optional<Duration> maxHold() {
        return Optional.ofNullable(maxHold);
    }

    /**
     * What happens to work under this lock when the lease is lost.
     *
     * @return empty if it is what the client's options say
     */
    public Optional<OnLoss> onLoss() {
        return Optional.ofNullable(onLoss);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockOptions that
                && Objects.equals(renewedLease, that.renewedLease)
                && Objects.equals(fixedLease, that.fixedLease)
                && Objects.equals(maxHold, that.maxHold)
                && onLoss == that.onLoss;
    }

    @Override
    public int hashCode() {
        return Objects.hash(renewedLease, fixedLease, maxHold, onLoss);
    }

    /** Says how the lock is held, for logs and messages: {@code "a fixed lease of PT5S, max hold PT1M"}. */
    @Override
    public String toString() {
        String lease = fixedLease != null
                ? "a fixed lease of " + fixedLease
                : renewedLease != null ? "a renewed lease of " + renewedLease : "the client's renewed lease";
        return lease + (maxHold == null ? "" : ", max hold " + maxHold) + (onLoss == null ? "" : ", on loss " + onLoss);
    }
}
