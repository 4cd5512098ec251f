package io.hasp;

import static io.hasp.InvalidArgumentException.required;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sets the lease of one lock: start with the defaults and add options, such as
 * {@code LockOptions.defaults().fixedLease(Duration.ofSeconds(5))}. Each method returns new options. Their order never matters, except that
 * a renewed and a fixed lease replace each other. Immutable; equal if the values are equal.
 *
 * <p>Durations are never mixed. The <em>wait</em> is an argument of the call. The <em>lease</em> is the time for which the server keeps the
 * lock for a silent holder: a <em>renewed</em> lease lasts for as long as the lock is held, a <em>fixed</em> one ends by itself. <em>Max
 * hold</em> ends either.
 */
public final class LockOptions {
    private static final LockOptions DEFAULTS = new LockOptions(null, null, null, OnLoss.CLIENT, null);

    /** Null if {@link #fixedLease} is set. */
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
     * Returns the default options: the client's renewed lease, its max hold, and its reaction to a loss.
     *
     * @return the default options
     */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Holds the lock until it is released, with another lease than the client's. Where the server enforces a lease and not a session, the
     * lock of a crashed holder is free after this time. Replaces a fixed lease.
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
     * Caps the time for which the lock is held: then renewal stops, and the lease is lost.
     *
     * @param most 10 ms to 365 days
     * @return new options
     * @throws InvalidArgumentException if out of that range
     */
    public LockOptions maxHold(Duration most) {
        return new LockOptions(renewedLease, fixedLease, Durations.lease("maxHold", most), onLoss, takenAtLeast);
    }

    /**
     * Sets the reaction of work under this lock to the loss of the lease, in place of the client's.
     *
     * @param then interrupt the work, let it continue, or follow the client's options
     * @return new options
     * @throws InvalidArgumentException if null
     */
    public LockOptions onLoss(OnLoss then) {
        return new LockOptions(renewedLease, fixedLease, maxHold, required("onLoss", then), takenAtLeast);
    }

    /**
     * Leaves the lock taken on the server until this time has passed since its grant, however early it is released, and whatever happens to
     * the client: for jobs that must not run again so soon. No client holds the lock then: the lease has ended as after any release, and
     * all acquisitions are refused or wait, those of this client too.
     *
     * <p>The client requests a lease of at least this time from the server. So the lock of a process that dies stays taken until the longer
     * of this time and the renewed lease has passed since its last renewal. If a release is not confirmed, or the lease was lost before,
     * the lock ends with that lease, too. Not guaranteed if the server loses its locks in a restart, a failover or an eviction, or if an
     * administrator deletes one ({@link LockCapabilities}).
     *
     * <p>For exclusive locks. The lock is not handed off to waiters of this client, nor kept ({@link ClientOptions#keep}).
     *
     * @param least 10 ms to 365 days
     * @return new options
     * @throws InvalidArgumentException if out of that range
     */
    public LockOptions takenAtLeast(Duration least) {
        return new LockOptions(renewedLease, fixedLease, maxHold, onLoss, Durations.lease("takenAtLeast", least));
    }

    /**
     * Returns the time for which the server keeps the lock after each renewal.
     *
     * @return empty for the client's, or if the lease is fixed
     */
    public Optional<Duration> renewedLease() {
        return Optional.ofNullable(renewedLease);
    }

    /**
     * Returns the longest hold without renewal.
     *
     * @return empty if the lease is renewed
     */
    public Optional<Duration> fixedLease() {
        return Optional.ofNullable(fixedLease);
    }

    /**
     * Returns the cap, after which the lease ends whatever was confirmed.
     *
     * @return empty for the client's cap, if there is one
     */
    public Optional<Duration> maxHold() {
        return Optional.ofNullable(maxHold);
    }

    /**
     * Returns the reaction of work under this lock to the loss of the lease.
     *
     * @return {@link OnLoss#CLIENT} unless set
     */
    public OnLoss onLoss() {
        return onLoss;
    }

    /**
     * Returns the least time for which the lock stays taken.
     *
     * @return empty if the lock is free after a release
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

    /** Describes the lease, for logs and messages: {@code "a fixed lease of PT5S, max hold PT1M"}. */
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
