package io.hasp.simulator;

import io.hasp.spi.HolderId;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Which holders of a client may have something on the server, by the answers that it heard: a grant, a place in the queue, or
 * an outcome that nobody knows. Each of them is released by the time the client has come to rest.
 */
final class Debts {
    private final Set<HolderId> owed = new LinkedHashSet<>();

    /** The latest answer says or allows that the server has something. */
    void mayHave(HolderId holder) {
        owed.add(holder);
    }

    /** It was asked to end it, or says that there is nothing. */
    void settled(HolderId holder) {
        owed.remove(holder);
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
