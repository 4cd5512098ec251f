package io.hasp;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The elections of one client, which end with it. Also keeps them reachable. Thread-safe. */
final class OpenElections {
    private final Set<CandidateDriver> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;

    /** A candidate that joins while the client begins to close is closed, too. */
    void add(CandidateDriver candidate) {
        open.add(candidate);
        if (closing) {
            candidate.beginClosing();
        }
    }

    void remove(CandidateDriver candidate) {
        open.remove(candidate);
    }

    /** Begins their end, and waits for nothing. */
    void beginClosing() {
        closing = true;
        open.forEach(CandidateDriver::beginClosing);
    }
}
