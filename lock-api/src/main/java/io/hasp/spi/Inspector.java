package io.hasp.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Reads the locks of a service for operators, and removes one holder. Thread-safe. Stages complete and fail as those of a
 * {@link LockBackend} do.
 *
 * <p>Only {@link #remove} changes anything. No acquisition, renewal or release calls an inspector, so only an operator's credentials need
 * the commands that it sends. Its answers are snapshots of one lock at a time, not of the service.
 */
public interface Inspector {
    /** The most locks of one page: each page keeps a server busy for well below two milliseconds. */
    int MOST_ON_A_PAGE = 100;

    /** The most waiters of one {@link Content}. */
    int MOST_WAITERS = 1000;

    /**
     * Returns a page of the locks whose names begin with a prefix, in no order. A lock that is held or waited for during the whole listing
     * is on at least one page, unless its data moves to another server in that time; a lock that comes or goes may be missing, and a lock
     * may be on two pages.
     *
     * @param prefix may be empty
     * @param cursor empty for the first page, then {@link Page#next}
     * @return the page; it may have no locks and still have a next one
     */
    CompletionStage<Page> list(String prefix, String cursor);

    /**
     * Returns one lock.
     *
     * @param name the lock
     * @return empty if it has neither a holder nor a waiter
     */
    CompletionStage<Optional<Content>> find(LockName name);

    /**
     * Ends the grant of one holder, in one step that compares and removes: nothing changes unless this holder has the lock, with this
     * token. The next waiters are served at once, and later tokens go on growing. The client of the holder finds out as from any deleted
     * lock: by a signal, or by its next renewal at the latest.
     *
     * @param name the lock
     * @param holder as {@link #find} returned it
     * @return true if the grant was ended, false if the holder had gone
     */
    CompletionStage<Boolean> remove(LockName name, Holder holder);

    /**
     * Lists some locks. Immutable.
     *
     * @param locks at most {@value #MOST_ON_A_PAGE}
     * @param next the cursor of the next page; empty after the last one
     */
    record Page(List<Content> locks, String next) {
        /** Copies the list. */
        public Page {
            locks = List.copyOf(locks);
            Objects.requireNonNull(next, "next");
        }
    }

    /**
     * Describes one lock at one moment. Immutable.
     *
     * @param name the lock
     * @param capacity as in {@link Share}
     * @param holders in no order
     * @param waiters in the order in which they are served, at most {@value #MOST_WAITERS}
     * @param waiting the number of all waiters
     * @param newestToken the token of the latest grant that the server remembers; zero if it remembers none
     * @param readAt the server's clock
     * @param nodes the servers that vote, where a majority decides; else empty
     */
    record Content(
            LockName name,
            int capacity,
            List<Holder> holders,
            List<Waiter> waiters,
            int waiting,
            long newestToken,
            Instant readAt,
            List<Node> nodes) {
        /** Copies the lists. */
        public Content {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(readAt, "readAt");
            holders = List.copyOf(holders);
            waiters = List.copyOf(waiters);
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * Describes one grant. Immutable.
     *
     * @param id the holder
     * @param token the server's token of the grant
     * @param weight the share that it has now
     * @param state the state of the grant on the server
     * @param label the label of its claim; empty if none was stored
     * @param since the grant's begin by the server's clock; empty if unknown
     * @param left the time left by the server's clock; empty if the grant lasts as long as a session
     */
    record Holder(
            HolderId id,
            long token,
            int weight,
            State state,
            String label,
            Optional<Instant> since,
            Optional<Duration> left) {
        /** Refuses null. */
        public Holder {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(state, "state");
            Objects.requireNonNull(label, "label");
            Objects.requireNonNull(since, "since");
            Objects.requireNonNull(left, "left");
        }
    }

    /**
     * Describes one waiter. Immutable.
     *
     * @param id the holder that it will be
     * @param weight the share that it requests; one if unknown
     * @param label the label of its claim; empty if none was stored
     * @param since the begin of its wait by the server's clock; empty if unknown
     */
    record Waiter(HolderId id, int weight, String label, Optional<Instant> since) {
        /** Refuses null. */
        public Waiter {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(label, "label");
            Objects.requireNonNull(since, "since");
        }
    }

    /**
     * Describes the view of one voting server. Immutable.
     *
     * @param address host and port
     * @param failure empty if it answered
     * @param holders the grants that it stores
     */
    record Node(String address, Optional<String> failure, List<Holder> holders) {
        /** Copies the list. */
        public Node {
            Objects.requireNonNull(address, "address");
            Objects.requireNonNull(failure, "failure");
            holders = List.copyOf(holders);
        }
    }

    /** The state of a grant on the server. */
    enum State {
        /** A client has it, and does not keep it after its use. */
        HELD,
        /** A client has it, and may keep it without a use: the server can't see which. It is recalled when another client wants it. */
        RECALLABLE,
        /** The lock {@linkplain LockBackend#retain stays taken} without a holder. */
        RETAINED
    }
}
