package io.hasp.simulator;

import io.hasp.spi.HolderId;
import java.util.HashSet;
import java.util.Set;

/** What a client was told of its holders and has not acted on: that they may get the lock, or that they are connected again. */
final class PendingSignals {
    private final Set<HolderId> waiting = new HashSet<>();
    private final Set<HolderId> told = new HashSet<>();
    private final Set<HolderId> asking = new HashSet<>();
    private final Set<HolderId> restored = new HashSet<>();
    private final Set<HolderId> renewing = new HashSet<>();

    void heard(HolderId holder) {
        if (waiting.contains(holder)) {
            told.add(holder);
        }
    }

    void restored(HolderId holder) {
        restored.add(holder);
    }

    void renews(HolderId holder) {
        restored.remove(holder);
        renewing.add(holder);
    }

    /** With what comes of that, all is known again. */
    void renewed(HolderId holder) {
        restored.remove(holder);
        renewing.remove(holder);
    }

    void asks(HolderId holder) {
        told.remove(holder);
        restored.remove(holder);
        asking.add(holder);
        waiting.add(holder);
    }

    void answered(HolderId holder) {
        asking.remove(holder);
    }

    void forget(HolderId holder) {
        restored.remove(holder);
        waiting.remove(holder);
        told.remove(holder);
        asking.remove(holder);
    }

    /** Whether one that is connected again would have to wait for its next renewal. */
    boolean forgotten(HolderId holder) {
        return restored.contains(holder) && !renewing.contains(holder);
    }

    /** Whether one that was told would have to wait for its poll. */
    boolean dropped() {
        return !told.isEmpty() && !asking.containsAll(told);
    }
}
