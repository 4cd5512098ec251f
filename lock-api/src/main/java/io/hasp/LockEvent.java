package io.hasp;

import java.time.Duration;
import java.util.Optional;

/**
 * Describes an event of a lock of a client. Immutable. An event of a lease is an {@link OfLease} and carries the lease's token.
 *
 * <p>Later versions may add kinds of events, and components to a kind: a {@code switch} over events needs a {@code default}, and accessors
 * are safer than record patterns.
 */
public sealed interface LockEvent {

    /**
     * Returns the name of the lock.
     *
     * @return the lock's name
     */
    String lock();

    /** Describes an event of a lease. */
    sealed interface OfLease extends LockEvent {

        /**
         * Returns the fencing token of the lease.
         *
         * @return the lease's fencing token
         */
        long fencingToken();
    }

    /**
     * A lease began.
     *
     * @param lock the lock's name
     * @param fencingToken the lease's fencing token
     * @param waited the time since the call
     */
    record Acquired(String lock, long fencingToken, Duration waited) implements OfLease {}

    /**
     * A wait ended without the lock because other holders had it.
     *
     * @param lock the lock's name
     * @param waited the time since the call
     */
    record Contended(String lock, Duration waited) implements LockEvent {}

    /**
     * A caller waits for a lock, because other holders have it or the service fails; {@link WaitEnded} follows. No event if the first
     * request gets the lock.
     *
     * @param lock the lock's name
     */
    record Waiting(String lock) implements LockEvent {}

    /**
     * The wait of a {@link Waiting} caller is over. {@link Acquired}, {@link Contended} or {@link Unavailable} follows; no event if the
     * caller was interrupted or cancelled, or its client closed.
     *
     * @param lock the lock's name
     */
    record WaitEnded(String lock) implements LockEvent {}

    /**
     * An acquisition failed: the service did not answer, or refused to serve it.
     *
     * @param lock the lock's name
     * @param waited the time since the call
     * @param reason in words
     */
    record Unavailable(String lock, Duration waited, String reason) implements LockEvent {}

    /**
     * A lease began by hand-off within this client, or on a lock that was {@link Kept}, without a round trip; {@link Acquired} follows.
     *
     * @param lock the lock's name
     * @param fencingToken the lease's fencing token
     */
    record HandedOff(String lock, long fencingToken) implements OfLease {}

    /**
     * The server confirmed a lease: a renewal, or an extension by its holder. A lease is due for renewal when half of it is
     * over, below 6 s when a third is over.
     *
     * @param lock the lock's name
     * @param fencingToken the lease's fencing token
     * @param remaining the time that the lease lasts now without a further confirmation
     * @param delay the time from the due moment to the confirmation: the timer's delay, failed renewals, and the round trip. Zero if the
     *     renewal was early, to share a batch, and for an extension
     */
    record Renewed(String lock, long fencingToken, Duration remaining, Duration delay) implements OfLease {}

    /**
     * A lease can't be confirmed at present.
     *
     * @param lock the lock's name
     * @param fencingToken the lease's fencing token
     * @param remaining the time that the lease lasts without a confirmation
     */
    record Suspect(String lock, long fencingToken, Duration remaining) implements OfLease {}

    /**
     * A lease was lost.
     *
     * @param lock the lock's name
     * @param fencingToken the lease's fencing token
     * @param reason in words
     * @param held the time that it was held; empty if its holder had released it before (after {@link Released}), and the release found the
     *     lock gone
     */
    record Lost(String lock, long fencingToken, String reason, Optional<Duration> held) implements OfLease {}

    /**
     * A lease ended by release.
     *
     * @param lock the lock's name
     * @param fencingToken the lease's fencing token
     * @param held the time that it was held
     */
    record Released(String lock, long fencingToken, Duration held) implements OfLease {}

    /**
     * A lock stays with this client after its lease, without a use, because {@link ClientOptions#keep} is set; {@link Released} came
     * before. {@link HandedOff} follows if it is used again.
     *
     * @param lock the lock's name
     * @param fencingToken the fencing token of the lease that ended
     * @param atMost the longest time that it stays, unless it is used or recalled before
     */
    record Kept(String lock, long fencingToken, Duration atMost) implements OfLease {}

    /**
     * Another client requests a lock that is kept, or would be kept after the present lease: it is released now, or at the end of that
     * lease.
     *
     * @param lock the lock's name
     * @param fencingToken the fencing token of the present or latest lease
     * @param inUse true if that lease is held at present; false if the lock was only kept after it
     */
    record Recalled(String lock, long fencingToken, boolean inUse) implements OfLease {}

    /**
     * An acquisition failed, and its request may have an effect on the server for a while; it is withdrawn in the background.
     *
     * @param lock the lock's name
     */
    record OutcomeUnknown(String lock) implements LockEvent {}

    /**
     * A thread ended without unlocking a lock that it had locked through {@link DistributedLock#asReentrantLock}; no other thread can
     * unlock it. It stays locked until its max hold or, without one, for as long as this client lives. Happens once, at most about half
     * of a lease after the thread's end.
     *
     * @param lock the lock's name
     * @param fencingToken the lease's fencing token
     * @param thread the thread's name
     */
    record Abandoned(String lock, long fencingToken, String thread) implements OfLease {}
}
