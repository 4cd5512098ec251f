package io.hasp.spi;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a holder asks of the backend. Immutable. Two claims are equal if all that they ask is; whose claim it is, the holder
 * alone says.
 *
 * <p>Made by a factory and read by accessors, so that a claim can come to say more without a change to any backend.
 */
public final class Claim {
    private final LockName name;
    private final HolderId holder;
    private final Duration lease;
    private final boolean queue;
    private final boolean renewed;
    private final Share share;
    private final boolean keeps;

    private Claim(
            LockName name,
            HolderId holder,
            Duration lease,
            boolean queue,
            boolean renewed,
            Share share,
            boolean keeps) {
        this.name = name;
        this.holder = holder;
        this.lease = lease;
        this.queue = queue;
        this.renewed = renewed;
        this.share = share;
        this.keeps = keeps;
    }

    /**
     * A claim whose grant the engine is going to renew for as long as it is held.
     *
     * @param name what is to be locked
     * @param holder who asks
     * @param lease for how long each renewal asks; at least one millisecond
     * @param queue whether the holder is ready to wait
     * @return the claim
     */
    public static Claim renewedLease(LockName name, HolderId holder, Duration lease, boolean queue) {
        return new Claim(name, holder, lease, queue, true, Share.EXCLUSIVE, false);
    }

    /**
     * A claim for a fixed time, after which the lock is free.
     *
     * @param name what is to be locked
     * @param holder who asks
     * @param lease for how long; at least one millisecond
     * @param queue whether the holder is ready to wait
     * @return the claim
     */
    public static Claim fixedLease(LockName name, HolderId holder, Duration lease, boolean queue) {
        return new Claim(name, holder, lease, queue, false, Share.EXCLUSIVE, false);
    }

    /**
     * What is to be locked.
     *
     * @return the lock's name
     */
    public LockName name() {
        return name;
    }

    /**
     * Who asks. Asking again with the same holder is the same attempt, never a second one.
     *
     * @return the holder
     */
    public HolderId holder() {
        return holder;
    }

    /**
     * How long the server shall keep the lock without renewal. Where a session, not a lease, is what the server enforces, the
     * engine gives the lock up at the end of it.
     *
     * @return at least one millisecond
     */
    public Duration lease() {
        return lease;
    }

    /**
     * Whether the holder is ready to wait. If false the backend leaves nothing behind when the lock is busy.
     *
     * @return whether to queue
     */
    public boolean queue() {
        return queue;
    }

    /**
     * Whether the engine is going to renew the grant for as long as it is held, so that one which is good for less than the
     * lease at first will do; if false, a backend that enforces leases grants the whole lease.
     *
     * @return true for a renewed lease, false for a fixed one
     */
    public boolean renewed() {
        return renewed;
    }

    /**
     * How much of the lock is asked for. {@link Share#EXCLUSIVE} unless the backend declares {@link Capabilities#shares}.
     *
     * @return the share
     */
    public Share share() {
        return share;
    }

    /**
     * Whether the client would like to keep the grant for a while after its release, in case it needs the lock again. The server
     * remembers it with the grant, the place in the queue included, so that whoever is refused recalls the grant. In a renewal, false
     * says that the grant will not be kept any more, so that nobody need recall it; true changes nothing. Only for exclusive and
     * renewed leases, and false unless the backend declares {@link Capabilities#recalls}.
     *
     * @return whether to keep
     */
    public boolean keeps() {
        return keeps;
    }

    /**
     * The same claim of another holder.
     *
     * @param other who asks
     * @return a new claim
     */
    public Claim withHolder(HolderId other) {
        return new Claim(name, other, lease, queue, renewed, share, keeps);
    }

    /**
     * The same claim for another time.
     *
     * @param other at least one millisecond
     * @return a new claim
     */
    public Claim withLease(Duration other) {
        return new Claim(name, holder, other, queue, renewed, share, keeps);
    }

    /**
     * The same claim for another share of the lock. A claim begins as one for {@link Share#EXCLUSIVE}.
     *
     * @param other how much of the lock is asked for
     * @return a new claim
     */
    public Claim withShare(Share other) {
        return new Claim(name, holder, lease, queue, renewed, other, keeps);
    }

    /**
     * The same claim, keeping or not. A claim begins as one that does not keep.
     *
     * @param whether as {@link #keeps} describes it
     * @return a new claim
     */
    public Claim withKeeps(boolean whether) {
        return new Claim(name, holder, lease, queue, renewed, share, whether);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Claim that
                && holder.equals(that.holder)
                && name.equals(that.name)
                && lease.equals(that.lease)
                && queue == that.queue
                && renewed == that.renewed
                && share.equals(that.share)
                && keeps == that.keeps;
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, holder, lease, queue, renewed, share, keeps);
    }

    /** Names the lock, the holder and what is asked, for logs. */
    @Override
    public String toString() {
        return "Claim[" + name + ", " + holder + ", " + (renewed ? "renewed" : "fixed") + " lease " + lease
                + (share.isExclusive() ? "" : ", " + share.weight() + " of " + share.capacity())
                + (keeps ? ", keeps" : "")
                + (queue ? ", ready to wait]" : "]");
    }
}
