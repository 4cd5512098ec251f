package io.hasp.simulator;

import io.hasp.spi.HolderId;
import java.util.HashSet;
import java.util.Set;

/** Which waiting holders of a client were told that they may get the lock, and have not asked since. */
final class Wakes {
    private final Set<HolderId> waiting = new HashSet<>();
    private final Set<HolderId> told = new HashSet<>();
    private final Set<HolderId> asking = new HashSet<>();

    void heard(HolderId holder) {
        if (waiting.contains(holder)) {
            told.add(holder);
        }
    }

    void asks(HolderId holder) {
        told.remove(holder);
        asking.add(holder);
        waiting.add(holder);
    }

    void answered(HolderId holder) {
        asking.remove(holder);
    }

    void forget(HolderId holder) {
        waiting.remove(holder);
        told.remove(holder);
        asking.remove(holder);
    }

    /** Whether one that was told would have to wait for its poll. */
    boolean dropped() {
        return !told.isEmpty() && !asking.containsAll(told);
    }
}
