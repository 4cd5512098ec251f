package io.hasp;

import io.hasp.spi.Capabilities;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Describes the promises of a client's backend for every lock. Immutable. Returned by {@link LockClient#capabilities}; the conformance
 * suite proves them.
 *
 * <p>Later versions may add capabilities, and constants to the enums: a {@code switch} over an enum needs a {@code default}.
 */
public final class LockCapabilities {
    private final Capabilities promised;

    LockCapabilities(Capabilities promised) {
        this.promised = promised;
    }

    /**
     * Returns the order between clients that wait. A program that relies on an order requires it by {@link ClientOptions#ordering}.
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
     * Returns the limit after which the server ends the lock of a silent holder, such as a killed process.
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
     * Returns the events after which the server still keeps a lock for its holder, so that no other client can get it.
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
     * Returns true if the backend serves shared locks: {@link LockClient#readWriteLock} and {@link LockClient#semaphore}.
     *
     * @return if false, both are refused by {@link UnsupportedCapabilityException}
     */
    public boolean sharedLocks() {
        return promised.shares();
    }

    /**
     * Returns true if a client of the backend can keep locks between their uses: {@link ClientOptions#keep}.
     *
     * @return if false, a client with this option is refused by {@link UnsupportedCapabilityException}
     */
    public boolean keptLocks() {
        return promised.recalls();
    }

    /**
     * Returns true if the server may evict a lock while it is held, to make room in its memory. Another client may then get the lock before
     * its holder finds out, which is at the holder's next renewal. Tokens stay ordered, so a store that checks them is safe.
     *
     * @return the server's answer when this client connected; true also if there was none
     */
    public boolean mayEvictLocks() {
        return promised.evicts();
    }

    /**
     * Returns true if a lock can stay taken after its release, and after the death of its process: {@link LockOptions#takenAtLeast}.
     *
     * @return if false, such a lock is refused by {@link UnsupportedCapabilityException}
     */
    public boolean retainedLocks() {
        return promised.retains();
    }

    /**
     * Returns true if the server wakes no waiting client: a waiter polls, on Redis every half second. A server may forbid messages, and a
     * client may do without ({@code Notification.POLL} of Redis).
     *
     * @return the finding of this client when it connected; false while it is not connected, unless its options do without messages
     */
    public boolean waitersPoll() {
        return promised.polls();
    }

    /**
     * Returns true if the backend shows its locks to operators, and breaks a lock for them: {@link LockClient#inspector}.
     *
     * @return if false, that method throws {@link UnsupportedCapabilityException}
     */
    public boolean inspection() {
        return promised.inspects();
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
                + (inspection() ? ", inspection" : "")
                + (waitersPoll() ? ", waiters poll" : "")
                + (mayEvictLocks() ? ", may evict locks]" : "]");
    }

    /** Limits the lock of a silent holder on the server. */
    public enum Enforcement {
        /** Each lock has its own lease on the server. */
        LEASE,
        /**
         * All locks of a client live as long as its session. The client's own clock ends fixed leases and max hold, so those of a crashed
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
