package io.hasp.spi;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Requests a lock, or a share of it, for one holder. Immutable. Two claims with the same values are equal; only the holder identifies the
 * acquisition.
 *
 * <p>Created by a factory and read by accessors, so that a new property of claims changes no backend.
 */
public final class Claim {
    private final LockName name;
    private final HolderId holder;
    private final Duration lease;
    private final boolean queue;
    private final boolean renewed;
    private final Share share;
    private final boolean keeps;
    private final String label;

    private Claim(
            LockName name,
            HolderId holder,
            Duration lease,
            boolean queue,
            boolean renewed,
            Share share,
            boolean keeps,
            String label) {
        this.name = name;
        this.holder = holder;
        this.lease = lease;
        this.queue = queue;
        this.renewed = renewed;
        this.share = share;
        this.keeps = keeps;
        this.label = label;
    }

    /**
     * Creates a claim whose grant the engine renews for as long as it is held.
     *
     * @param name the lock
     * @param holder the requesting holder
     * @param lease the time that each renewal requests; at least one millisecond
     * @param queue true if the holder is ready to wait
     * @return the claim
     */
    public static Claim renewedLease(LockName name, HolderId holder, Duration lease, boolean queue) {
        return renewedLease(name, holder, lease, queue, "");
    }

    /**
     * Creates a claim as {@link #renewedLease(LockName, HolderId, Duration, boolean)} does, with a {@link #label}.
     *
     * @param name the lock
     * @param holder as there
     * @param lease as there
     * @param queue as there
     * @param label see {@link #label}
     * @return the claim
     */
    public static Claim renewedLease(LockName name, HolderId holder, Duration lease, boolean queue, String label) {
        return new Claim(name, holder, lease, queue, true, Share.EXCLUSIVE, false, label);
    }

    /**
     * Creates a claim for a fixed time, after which the lock is free.
     *
     * @param name the lock
     * @param holder the requesting holder
     * @param lease the time; at least one millisecond
     * @param queue true if the holder is ready to wait
     * @return the claim
     */
    public static Claim fixedLease(LockName name, HolderId holder, Duration lease, boolean queue) {
        return fixedLease(name, holder, lease, queue, "");
    }

    /**
     * Creates a claim as {@link #fixedLease(LockName, HolderId, Duration, boolean)} does, with a {@link #label}.
     *
     * @param name the lock
     * @param holder as there
     * @param lease as there
     * @param queue as there
     * @param label see {@link #label}
     * @return the claim
     */
    public static Claim fixedLease(LockName name, HolderId holder, Duration lease, boolean queue, String label) {
        return new Claim(name, holder, lease, queue, false, Share.EXCLUSIVE, false, label);
    }

    /**
     * Returns the lock.
     *
     * @return the lock's name
     */
    public LockName name() {
        return name;
    }

    /**
     * Returns the requesting holder. A repeated request of the same holder is the same attempt, never a second one.
     *
     * @return the holder
     */
    public HolderId holder() {
        return holder;
    }

    /**
     * Returns the time for which the server shall keep the lock without renewal. Where the server enforces a session and not a lease, the
     * engine ends the lock after this time.
     *
     * @return at least one millisecond
     */
    public Duration lease() {
        return lease;
    }

    /**
     * Returns true if the holder is ready to wait. If false, the backend leaves nothing behind when the lock is busy.
     *
     * @return true to queue
     */
    public boolean queue() {
        return queue;
    }

    /**
     * Returns true if the engine renews the grant for as long as it is held, so that a first grant may be valid for less than the lease. If
     * false, a backend that enforces leases grants the whole lease.
     *
     * @return true for a renewed lease, false for a fixed one
     */
    public boolean renewed() {
        return renewed;
    }

    /**
     * Returns the requested share of the lock. {@link Share#EXCLUSIVE} unless the backend declares {@link Capabilities#shares}.
     *
     * @return the share
     */
    public Share share() {
        return share;
    }

    /**
     * Returns true if the client requests to keep the grant for a while after its release, for its next use. The server stores this with
     * the grant, and with a place in the queue, so that each refused client recalls the grant. In a renewal, false says that the grant will
     * not be kept any more and needs no recall; true changes nothing. Only for exclusive and renewed leases, and false unless the backend
     * declares {@link Capabilities#recalls}.
     *
     * @return true to keep
     */
    public boolean keeps() {
        return keeps;
    }

    /**
     * Returns the name of the client for people. The backend stores it with the grant and with a place in the queue, and shows it in
     * its {@link LockBackend#inspector}.
     *
     * @return at most 128 characters without control characters; empty, as in a new claim, if there is none
     */
    public String label() {
        return label;
    }

    /**
     * Returns this claim with another {@link #label}.
     *
     * @param other see {@link #label}
     * @return a new claim
     */
    public Claim withLabel(String other) {
        return new Claim(name, holder, lease, queue, renewed, share, keeps, other);
    }

    /**
     * Returns this claim with another holder.
     *
     * @param other the requesting holder
     * @return a new claim
     */
    public Claim withHolder(HolderId other) {
        return new Claim(name, other, lease, queue, renewed, share, keeps, label);
    }

    /**
     * Returns this claim with another lease.
     *
     * @param other at least one millisecond
     * @return a new claim
     */
    public Claim withLease(Duration other) {
        return new Claim(name, holder, other, queue, renewed, share, keeps, label);
    }

    /**
     * Returns this claim with another share of the lock. A new claim is {@link Share#EXCLUSIVE}.
     *
     * @param other the requested share
     * @return a new claim
     */
    public Claim withShare(Share other) {
        return new Claim(name, holder, lease, queue, renewed, other, keeps, label);
    }

    /**
     * Returns this claim with another value of {@link #keeps}. A new claim does not keep.
     *
     * @param whether see {@link #keeps}
     * @return a new claim
     */
    public Claim withKeeps(boolean whether) {
        return new Claim(name, holder, lease, queue, renewed, share, whether, label);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        return other instanceof Claim that
                && holder.equals(that.holder)
                && name.equals(that.name)
                && lease.equals(that.lease)
                && queue == that.queue
                && renewed == that.renewed
                && share.equals(that.share)
                && keeps == that.keeps
                && label.equals(that.label);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, holder, lease, queue, renewed, share, keeps, label);
    }

    /** Names the lock, the holder and the request, for logs. */
    @Override
    public String toString() {
        return "Claim[" + name + ", " + holder + ", " + (renewed ? "renewed" : "fixed") + " lease " + lease
                + (share.isExclusive() ? "" : ", " + share.weight() + " of " + share.capacity())
                + (keeps ? ", keeps" : "")
                + (queue ? ", ready to wait]" : "]");
    }
}
