package io.hasp.simulator.checks;

import io.hasp.spi.HolderId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The holders of one client that may be on the server, as the replies to the client say: granted, queued, or requested with an
 * unknown outcome. The client has to release each of them before it is quiescent.
 */
public final class OutstandingReleases {
    private final Set<HolderId> holders = new LinkedHashSet<>();
    /** Recalled when no reply said that they are on the server: the next recall makes good what a lost release leaves. */
    private final Set<HolderId> recalledLate = new HashSet<>();
    /** The number of releases that each holder may still make: one, and one more for each reply after which it may be on the server. */
    private final Map<HolderId, Integer> allowed = new HashMap<>();

    /** Requests under way to release holders. A release after a late recall is not among them: the next recall makes it good. */
    private final Set<HolderId> requested = new LinkedHashSet<>();

    /** The latest reply says or allows that the holder is on the server. */
    void add(HolderId holder) {
        holders.add(holder);
        allowed.put(holder, allowed.getOrDefault(holder, 1) + 1);
    }

    /** Another client wants what the holder has. */
    void recalled(HolderId holder) {
        if (!holders.contains(holder)) {
            recalledLate.add(holder);
        }
        allowed.put(holder, allowed.getOrDefault(holder, 1) + 1);
    }

    /** A release of the holder failed. */
    void notReleased(HolderId holder) {
        requested.remove(holder);
        if (recalledLate.contains(holder)) {
            allowed.put(holder, allowed.getOrDefault(holder, 1) + 1);
        } else {
            add(holder);
        }
    }

    /** The holder requests the lock. */
    void asks(HolderId holder) {
        if (!recalledLate.isEmpty()) {
            recalledLate.remove(holder);
        }
    }

    /** The latest reply says that the holder is not on the server. */
    void remove(HolderId holder) {
        holders.remove(holder);
    }

    /** The client releases the holder; false if no reply gives a reason for that. */
    boolean release(HolderId holder) {
        holders.remove(holder);
        if (!recalledLate.contains(holder)) {
            requested.add(holder);
        }
        int left = allowed.getOrDefault(holder, 1);
        allowed.put(holder, left - 1);
        return left > 0;
    }

    /** The server has answered the release of the holder. */
    void released(HolderId holder) {
        requested.remove(holder);
    }

    /** The holders whose release is requested and not answered. */
    Set<HolderId> requested() {
        return requested;
    }

    public boolean isEmpty() {
        return holders.isEmpty();
    }

    @Override
    public String toString() {
        return holders.toString();
    }
}
