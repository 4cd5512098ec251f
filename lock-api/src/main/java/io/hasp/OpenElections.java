package io.hasp;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The elections of one client, which end with it. Also keeps them reachable. Thread-safe. */
final class OpenElections {
    private final Set<Candidate> open = ConcurrentHashMap.newKeySet();

    void add(Candidate candidate) {
        open.add(candidate);
    }

    void remove(Candidate candidate) {
        open.remove(candidate);
    }

    /** Begins their end, and waits for nothing. */
    void beginClosing() {
        open.forEach(Candidate::beginClosing);
    }
}
