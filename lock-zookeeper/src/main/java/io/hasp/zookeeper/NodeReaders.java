package io.hasp.zookeeper;

import io.hasp.spi.HolderId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who reads with one node, and who asks to. A reader may join if a listing that began after its call shows that only readers came
 * after the node: then its own node would stand there as well, and would have to wait for nobody else. One listing at a time; those
 * who ask meanwhile wait for the next one. After a listing that shows anything else nobody joins any more.
 *
 * <p>Only state, without requests: a test goes through all orders of events. Not thread-safe.
 *
 * @param <R> a reader's request
 */
final class NodeReaders<R> {
    private final Map<HolderId, R> joined = new LinkedHashMap<>();
    private final Map<HolderId, R> asking = new LinkedHashMap<>();
    private final Map<HolderId, R> listedFor = new LinkedHashMap<>();
    private boolean present;
    private boolean listing;
    private boolean closed;

    /** A reader whose call began before the node was created. */
    void found(HolderId holder, R request) {
        joined.put(holder, request);
    }

    /** Takes the request of a reader that wants to join; false if nobody joins any more. */
    boolean ask(HolderId holder, R request) {
        if (closed) {
            return false;
        }
        asking.put(holder, request);
        return true;
    }

    /** The node was created, so a listing shows it. */
    void nodePresent() {
        present = true;
    }

    /** Whether a listing is to be sent now. If so, it is for all who ask. */
    boolean startListing() {
        if (!present || listing || closed || asking.isEmpty()) {
            return false;
        }
        listing = true;
        listedFor.putAll(asking);
        asking.clear();
        return true;
    }

    /** The listing shows only readers after the node: those whom it was for have joined. */
    List<R> listedOnlyReaders() {
        List<R> joining = listed();
        joined.putAll(listedFor);
        listedFor.clear();
        return joining;
    }

    /** The listing failed: those whom it was for are told so. */
    List<R> listingFailed() {
        List<R> failed = listed();
        listedFor.clear();
        return failed;
    }

    private List<R> listed() {
        listing = false;
        return List.copyOf(listedFor.values());
    }

    /** Nobody joins any more. Returns those who asked: they need another node. */
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

    List<R> joined() {
        return List.copyOf(joined.values());
    }

    /** A reader leaves. True if it had joined. */
    boolean leave(HolderId holder) {
        return joined.remove(holder) != null;
    }

    /** A reader that asks gives up. Returns its request, which is not answered; null if it does not ask. */
    @Nullable
    R withdraw(HolderId holder) {
        R waiting = asking.remove(holder);
        return waiting != null ? waiting : listedFor.remove(holder);
    }

    /** Whether nobody uses the node or asks to. If so, nobody joins any more, and the node is to be removed. */
    boolean closeIfUnused() {
        closed |= joined.isEmpty() && asking.isEmpty() && listedFor.isEmpty();
        return closed && joined.isEmpty();
    }
}
