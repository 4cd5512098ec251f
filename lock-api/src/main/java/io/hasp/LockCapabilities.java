package io.hasp;

import io.hasp.spi.Capabilities;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the backend of a client promises for every lock. Immutable. Told by {@link LockClient#capabilities}; the conformance suite
 * proves it.
 *
 * <p>Later versions may tell more, and may add constants to the enums: a {@code switch} over one needs a {@code default}.
 */
public final class LockCapabilities {
    private final Capabilities promised;

    LockCapabilities(Capabilities promised) {
        this.promised = promised;
    }

    /**
     * In which order clients that wait get a lock. A program that relies on one asks for it by {@link ClientOptions#ordering}.
     *
     * @return the order
     */
    public Ordering ordering() {
        return switch (promised.ordering()) {
            case NONE -> Ordering.NONE;
            case FIFO -> Ordering.FIFO;
        };
    }

    /**
     * What ends a lock on the server when its holder falls silent, for example because its process was killed.
     *
     * @return a lease or a session
     */
    public Enforcement enforcement() {
        return switch (promised.enforcement()) {
            case LEASE -> Enforcement.LEASE;
            case SESSION -> Enforcement.SESSION;
        };
    }

    /**
     * The events after which the server still keeps a lock for its holder, so that nobody else can get it.
     *
     * @return unmodifiable; empty means that nothing is promised
     */
    public Set<Survives> survives() {
        return promised.survives().stream().map(LockCapabilities::translated).collect(Collectors.toUnmodifiableSet());
    }

    private static Survives translated(Capabilities.Survives event) {
        return switch (event) {
            case SERVER_RESTART -> Survives.SERVER_RESTART;
            case FAILOVER -> Survives.FAILOVER;
        };
    }

    /**
     * Whether the backend serves locks that several share: {@link LockClient#readWriteLock} and {@link LockClient#semaphore}.
     *
     * @return if false, both are refused by {@link UnsupportedCapabilityException}
     */
    public boolean sharedLocks() {
        return promised.shares();
    }

    /**
     * Whether a client of the backend can keep locks that it does not use: {@link ClientOptions#keep}.
     *
     * @return if false, a client that is to keep locks is refused by {@link UnsupportedCapabilityException}
     */
    public boolean keptLocks() {
        return promised.recalls();
    }

    /**
     * Whether the server may evict a lock while it is held, to make room in its memory: another client may then get the lock before
     * its holder is told, which is at the holder's next renewal. Tokens stay ordered, so a store that checks them is safe.
     *
     * @return as the server answered when this client connected; true also if it did not tell
     */
    public boolean mayEvictLocks() {
        return promised.evicts();
    }

    /**
     * Whether a lock can stay taken after its release, and after the death of its process: {@link LockOptions#takenAtLeast}.
     *
     * @return if false, such a lock is refused by {@link UnsupportedCapabilityException}
     */
    public boolean retainedLocks() {
        return promised.retains();
    }

    /**
     * Tells that the server wakes no waiting client: a waiter learns of its turn when it asks next, on Redis every half second. A
     * server may forbid messages, and a client may do without ({@code Notification.POLL} of Redis).
     *
     * @return as this client found out when it connected; false while it is not connected, unless it does without
     */
    public boolean waitersPoll() {
        return promised.polls();
    }

    /** Capabilities are equal if they promise the same. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockCapabilities that && promised.equals(that.promised);
    }

    @Override
    public int hashCode() {
        return promised.hashCode();
    }

    /** Names each capability, for logs. */
    @Override
    public String toString() {
        return "LockCapabilities[ordering " + ordering() + ", enforcement " + enforcement() + ", survives " + survives()
                + (sharedLocks() ? ", shared locks" : "") + (keptLocks() ? ", kept locks" : "")
                + (retainedLocks() ? ", retained locks" : "")
                + (waitersPoll() ? ", waiters poll" : "")
                + (mayEvictLocks() ? ", may evict locks]" : "]");
    }

    /** What ends a lock on the server when its holder falls silent. */
    public enum Enforcement {
        /** Each lock has its own lease on the server. */
        LEASE,
        /**
         * All locks of a client live as long as its session. Its own clock ends fixed leases and max hold, so those of a crashed
         * client end with the session.
         */
        SESSION
    }

    /** An event that a lock outlives. */
    public enum Survives {
        /** The server process stops and starts again with its data. */
        SERVER_RESTART,
        /** The server, or the leader of several, dies and another takes over. */
        FAILOVER
    }
}
