package io.hasp;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Shows one lock of the service as it was at one moment. Immutable. It may be outdated when the program reads it: no decision about the
 * lock itself is safe on it.
 *
 * <p>All times are those of the server's clock. In-memory servers count from 1970 when they are created.
 *
 * @param name the lock's name
 * @param kind the kind of the lock
 * @param capacity the number of permits of a semaphore; else 1
 * @param holders in no order
 * @param waiters in the order in which they are served; the first thousand
 * @param waiting the number of all waiters
 * @param newestToken the fencing token of the latest grant that the server remembers, at its beginning; empty if it remembers none. Of servers
 *     that vote, of those that answered
 * @param readAt the server's time
 * @param nodes the servers that vote, for Redlock; else empty
 */
public record LockView(
        String name,
        Kind kind,
        int capacity,
        List<Holder> holders,
        List<Waiter> waiters,
        int waiting,
        OptionalLong newestToken,
        Instant readAt,
        List<Node> nodes) {

    /** Copies the lists. */
    public LockView {
        holders = List.copyOf(holders);
        waiters = List.copyOf(waiters);
        nodes = List.copyOf(nodes);
    }

    /**
     * Shows one holder.
     *
     * @param label the label of its client; empty if the server stores none
     * @param fencingToken the token of the first lease under its grant. Leases that a client hands off, or takes again from a
     *     {@linkplain ClientOptions#keep kept} lock, have larger ones, less than 256 more
     * @param permits the number of permits; 1 for other locks
     * @param use the share of the lock and the state that the server sees
     * @param since the beginning of the grant; empty if unknown
     * @param timeLeft the time until it ends without a renewal; empty if it lasts as long as a session
     */
    public record Holder(
            String label,
            long fencingToken,
            int permits,
            Use use,
            Optional<Instant> since,
            Optional<Duration> timeLeft) {}

    /**
     * Shows one waiter.
     *
     * @param label as of a holder
     * @param permits as of a holder
     * @param use {@link Use#READ}, {@link Use#WRITE} or {@link Use#HELD}
     * @param since the beginning of the wait; empty if unknown
     */
    public record Waiter(String label, int permits, Use use, Optional<Instant> since) {}

    /**
     * Shows the answer of one of the servers that vote.
     *
     * @param address host and port
     * @param failure in words; empty if it answered
     * @param holders the grants that it stores; a minority's grant counts for nothing
     */
    public record Node(String address, Optional<String> failure, List<Holder> holders) {
        /** Copies the list. */
        public Node {
            holders = List.copyOf(holders);
        }
    }

    /** The kind of a lock. Later versions may add constants. */
    public enum Kind {
        /** {@link LockClient#lock}; also elections. */
        EXCLUSIVE,
        /** {@link LockClient#readWriteLock}. */
        READ_WRITE,
        /** {@link LockClient#semaphore}. */
        SEMAPHORE
    }

    /** The use of a lock by a holder or waiter. Later versions may add constants. */
    public enum Use {
        /** An exclusive lock or permits. */
        HELD,
        /** An exclusive lock whose client may {@linkplain ClientOptions#keep keep} it: the server can't see if it is in use. */
        MAY_BE_KEPT,
        /** An exclusive lock that stays taken after its release: {@link LockOptions#takenAtLeast}. */
        STAYS_TAKEN,
        /** A read-write lock, for reading. */
        READ,
        /** A read-write lock, for writing. */
        WRITE
    }
}
