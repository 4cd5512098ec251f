package io.hasp;

import java.time.Duration;

/**
 * Told what happens to the locks of a client, for metrics and tracing. The events of a client are told in their order, one at
 * a time, on a thread of the client's own (or its given executor), soon after the thing happened. A listener that blocks
 * delays its own later events and nothing else; what it throws is logged and dropped. Costs nothing when there is none.
 */
public interface LockListener {

    /**
     * A lease began.
     *
     * @param lock the lock's name
     * @param waited how long it took, from the call on
     * @param fencingToken its token
     */
    default void acquired(String lock, Duration waited, long fencingToken) {}

    /**
     * A wait ended without the lock because others held it.
     *
     * @param lock the lock's name
     * @param waited for how long
     */
    default void contended(String lock, Duration waited) {}

    /**
     * A lease began by hand-off within this client, without a round trip; {@link #acquired} follows.
     *
     * @param lock the lock's name
     * @param fencingToken its token
     */
    default void handedOver(String lock, long fencingToken) {}

    /**
     * The server confirmed a lease.
     *
     * @param lock the lock's name
     * @param remaining how long it is good for now
     */
    default void renewed(String lock, Duration remaining) {}

    /**
     * A lease can't be confirmed at present.
     *
     * @param lock the lock's name
     */
    default void suspect(String lock) {}

    /**
     * A lease was lost.
     *
     * @param lock the lock's name
     * @param why in words
     */
    default void lost(String lock, String why) {}

    /**
     * A lease ended by release.
     *
     * @param lock the lock's name
     * @param held for how long
     */
    default void released(String lock, Duration held) {}

    /**
     * An acquisition failed, and something of it may be on the server for a while; it is withdrawn in the background.
     *
     * @param lock the lock's name
     */
    default void outcomeUnknown(String lock) {}

    /**
     * A thread ended without unlocking what it had locked through {@link DistributedLock#asLock}: nobody can unlock it any
     * more. It stays locked until its max hold or, without one, for as long as this client lives. Told once, about a third
     * of a lease after the thread's end at the latest.
     *
     * @param lock the lock's name
     * @param thread the name of the thread
     */
    default void abandoned(String lock, String thread) {}
}
