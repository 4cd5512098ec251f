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
    private static final LockOptions DEFAULTS = new LockOptions(null, null, null, OnLoss.CLIENT, null);

    /** At most one of the two leases is there. */
    private final @Nullable Duration renewedLease;

    private final @Nullable Duration fixedLease;
    private final @Nullable Duration maxHold;
    private final OnLoss onLoss;
    private final @Nullable Duration takenAtLeast;

    private LockOptions(
            @Nullable Duration renewedLease,
            @Nullable Duration fixedLease,
            @Nullable Duration maxHold,
            OnLoss onLoss,
            @Nullable Duration takenAtLeast) {
        this.renewedLease = renewedLease;
        this.fixedLease = fixedLease;
        this.maxHold = maxHold;
        this.onLoss = onLoss;
        this.takenAtLeast = takenAtLeast;
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
        return new LockOptions(Durations.lease("renewedLease", lease), null, maxHold, onLoss, takenAtLeast);
    }

    /**
     * Holds the lock for a fixed time at most, without renewal. Replaces a renewed lease.
     *
     * @param lease 10 ms to 365 days
     * @return new options
     * @throws InvalidArgumentException if out of that range
     */
    public LockOptions fixedLease(Duration lease) {
        return new LockOptions(null, Durations.lease("fixedLease", lease), maxHold, onLoss, takenAtLeast);
    }

    /**
     * Caps how long the lock is held: then renewal stops, and the lease is lost.
     *
     * @param most 10 ms to 365 days
     * @return new options
     * @throws InvalidArgumentException if out of that range
     */
    public LockOptions maxHold(Duration most) {
        return new LockOptions(renewedLease, fixedLease, Durations.lease("maxHold", most), onLoss, takenAtLeast);
    }

    /**
     * Says what happens to work under this lock when the lease is lost, instead of what the client's options say.
     *
     * @param then whether the work is interrupted
     * @return new options
     * @throws InvalidArgumentException if null
     */
    public LockOptions onLoss(OnLoss then) {
        return new LockOptions(renewedLease, fixedLease, maxHold, required("onLoss", then), takenAtLeast);
    }

    /**
     * Leaves the lock taken on the server until this time has passed since it was granted, however early it is released, and
     * whatever becomes of the client: for jobs that must not run again so soon. Nobody has the lock meanwhile: the lease has ended, as after
     * any release, and all who ask are refused or wait, this client too.
     *
     * <p>The server is asked for a lease of at least this time, so the lock of a process that dies stays taken until the longer of this
     * and the renewed lease has passed since its last renewal. If a release is not confirmed, or the lease was lost before, the
     * lock ends with that lease, too. The time is a lower bound as far as the server keeps its locks: not if it loses them in a restart, a failover or an
     * eviction, or if an administrator deletes one ({@link LockCapabilities}).
     *
     * <p>For exclusive locks. The lock is not handed on to waiters of this client, nor kept ({@link ClientOptions#keep}).
     *
     * @param least 10 ms to 365 days
     * @return new options
     * @throws InvalidArgumentException if out of that range
     */
    public LockOptions takenAtLeast(Duration least) {
        return new LockOptions(renewedLease, fixedLease, maxHold, onLoss, Durations.lease("takenAtLeast", least));
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
     * @return {@link OnLoss#CLIENT} unless set
     */
    public OnLoss onLoss() {
        return onLoss;
    }

    /**
     * How long the lock stays taken at least.
     *
     * @return empty if it is free after a release
     */
    public Optional<Duration> takenAtLeast() {
        return Optional.ofNullable(takenAtLeast);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockOptions that
                && Objects.equals(renewedLease, that.renewedLease)
                && Objects.equals(fixedLease, that.fixedLease)
                && Objects.equals(maxHold, that.maxHold)
                && onLoss == that.onLoss
                && Objects.equals(takenAtLeast, that.takenAtLeast);
    }

    @Override
    public int hashCode() {
        return Objects.hash(renewedLease, fixedLease, maxHold, onLoss, takenAtLeast);
    }

    /** Says how the lock is held, for logs and messages: {@code "a fixed lease of PT5S, max hold PT1M"}. */
    @Override
    public String toString() {
        String lease = fixedLease != null
                ? "a fixed lease of " + fixedLease
                : renewedLease != null ? "a renewed lease of " + renewedLease : "the client's renewed lease";
        return lease
                + (maxHold == null ? "" : ", max hold " + maxHold)
                + (onLoss == OnLoss.CLIENT ? "" : ", on loss " + onLoss)
                + (takenAtLeast == null ? "" : ", taken for at least " + takenAtLeast);
    }
}
