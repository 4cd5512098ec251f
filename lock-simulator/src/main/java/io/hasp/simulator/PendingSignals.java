package io.hasp.simulator;

import io.hasp.spi.HolderId;
import java.util.HashSet;
import java.util.Set;

/**
 * The signals that a client has heard and not acted on. A waiter that may get the lock has to ask; a holder that is connected
 * again has to renew.
 */
final class PendingSignals {
    private final Set<HolderId> waiting = new HashSet<>();
    private final Set<HolderId> signalled = new HashSet<>();
    private final Set<HolderId> asking = new HashSet<>();
    private final Set<HolderId> restored = new HashSet<>();
    private final Set<HolderId> renewing = new HashSet<>();

    void mayBeFree(HolderId holder) {
        if (waiting.contains(holder)) {
            signalled.add(holder);
        }
    }

    void restored(HolderId holder) {
        restored.add(holder);
    }

    void renews(HolderId holder) {
        restored.remove(holder);
        renewing.add(holder);
    }

    /** A renewal has its reply, or has failed. A signal that came meanwhile counts as acted on. */
    void renewed(HolderId holder) {
        restored.remove(holder);
        renewing.remove(holder);
    }

    void asks(HolderId holder) {
        signalled.remove(holder);
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
        signalled.remove(holder);
        asking.remove(holder);
    }

    /** Whether a holder is connected again, and would be renewed no sooner than usual. */
    boolean missesRenewal(HolderId holder) {
        return restored.contains(holder) && !renewing.contains(holder);
    }

    /** Whether a waiter was signalled, and would ask no sooner than at its next poll. */
    boolean missesRequest() {
        return !signalled.isEmpty() && !asking.containsAll(signalled);
    }
}
