package io.hasp.simulator;

import io.hasp.spi.HolderId;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which holders of a client may have something on the server, by the answers that it heard: a grant, a place in the queue, or
 * an outcome that nobody knows. Each of them is released by the time the client has come to rest.
 */
final class OutstandingReleases {
    private final Set<HolderId> owed = new LinkedHashSet<>();
    /** How often each may still be released: once, and once more for each answer by which the server may have something. */
    private final Map<HolderId, Integer> reasons = new HashMap<>();

    /** The latest answer says or allows that the server has something. */
    void mayHave(HolderId holder) {
        owed.add(holder);
        reasons.put(holder, reasons.getOrDefault(holder, 1) + 1);
    }

    /** The latest answer says that the server has nothing. */
    void settled(HolderId holder) {
        owed.remove(holder);
    }

    /** The server is asked to end it; false if there is no reason for that any more. */
    boolean released(HolderId holder) {
        owed.remove(holder);
        int left = reasons.getOrDefault(holder, 1);
        reasons.put(holder, left - 1);
        return left > 0;
    }

    boolean none() {
        return owed.isEmpty();
    }

    void forgive() {
        owed.clear();
    }

    @Override
    public String toString() {
        return owed.toString();
    }
}
