package io.hasp.zookeeper.readers;

import io.hasp.spi.HolderId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The readers of one node, and the readers that ask to join it. Until the creation is sent, a reader founds the node. Afterwards a reader
 * may join if a listing that began after its call shows that only readers came after the node: its own node would then wait for no other
 * node either. One listing runs at a time; a reader that asks during a listing waits for the next one. After a listing with any other node
 * no reader joins any more.
 *
 * <p>Only state, without requests: a test goes through all orders of events. Not thread-safe.
 *
 * @param <R> a reader's request
 */
final class NodeReaders<R> {
    private final Map<HolderId, R> joined = new LinkedHashMap<>();
    private final Map<HolderId, R> asking = new LinkedHashMap<>();
    private final Map<HolderId, R> listedFor = new LinkedHashMap<>();
    private boolean sent;
    private boolean present;
    private int listings;
    private boolean listing;
    private boolean closed;

    /** Takes the request of a new reader; false if the node is closed for readers. */
    boolean ask(HolderId holder, R request) {
        if (closed) {
            return false;
        }
        (sent ? asking : joined).put(holder, request);
        return true;
    }

    /** The creation is sent from now on. Returns those for whom it is. */
    List<R> send() {
        sent = true;
        return joined();
    }

    boolean sent() {
        return sent;
    }

    /** The node was created, so a listing shows it. */
    void nodePresent() {
        present = true;
    }

    /** The number of the listing that is to be sent now, for all readers that ask; zero if there is nothing to send. */
    int startListing() {
        if (!present || listing || closed || asking.isEmpty()) {
            return 0;
        }
        listing = true;
        listedFor.putAll(asking);
        asking.clear();
        return ++listings;
    }

    /** The listing shows only readers after the node: those whom it was for have joined. */
    List<R> listedOnlyReaders(int number) {
        if (!listing || number != listings) {
            return List.of();
        }
        joined.putAll(listedFor);
        return listed();
    }

    /** The listing failed. Returns those whom it was for: they have no place any more. */
    List<R> listingFailed(int number) {
        return listing && number == listings ? listed() : List.of();
    }

    private List<R> listed() {
        listing = false;
        List<R> all = List.copyOf(listedFor.values());
        listedFor.clear();
        return all;
    }

    /** Closes the node for new readers. Returns the requests of the readers that asked: they need another node. */
    List<R> close() {
        closed = true;
        List<R> turnedAway = new ArrayList<>(listedFor.values());
        turnedAway.addAll(asking.values());
        listedFor.clear();
        asking.clear();
        return turnedAway;
    }

    boolean closed() {
        return closed;
    }

    boolean hasJoined(HolderId holder) {
        return joined.containsKey(holder);
    }

    /** True if the node's creation, or a listing, will answer the reader. */
    boolean awaitsOthers(HolderId holder) {
        return !sent || !joined.containsKey(holder);
    }

    List<R> joined() {
        return List.copyOf(joined.values());
    }

    /** A reader asks again, and keeps its place. Returns its former request; null if it has no place. */
    @Nullable
    R again(HolderId holder, R request) {
        R former = joined.replace(holder, request);
        former = former == null ? asking.replace(holder, request) : former;
        return former == null ? listedFor.replace(holder, request) : former;
    }

    /** A reader leaves, or gives up. Returns its latest request; null if it has no place. */
    @Nullable
    R leave(HolderId holder) {
        R left = joined.remove(holder);
        left = left == null ? asking.remove(holder) : left;
        return left == null ? listedFor.remove(holder) : left;
    }

    /** Closes the node if no reader uses it or asks to join. True if it is closed now: the node is to be removed. */
    boolean closeIfUnused() {
        closed |= joined.isEmpty() && asking.isEmpty() && listedFor.isEmpty();
        return closed && joined.isEmpty();
    }
}
