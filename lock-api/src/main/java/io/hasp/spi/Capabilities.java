package io.hasp.spi;

import java.util.Set;

/**
 * What a backend offers. The conformance suite proves each declared capability; using an undeclared one throws.
 *
 * @param ordering in which order waiting clients get the lock
 * @param enforcement what ends a grant on the server when its client falls silent
 * @param survives the events after which the server still keeps a grant, so that nobody else can get it
 */
public record Capabilities(Ordering ordering, Enforcement enforcement, Set<Survives> survives) {

    /** Takes a copy of the set. */
    public Capabilities {
        survives = Set.copyOf(survives);
    }

    /** In which order waiting clients get the lock. */
    public enum Ordering {
        /** Whoever comes first after a release; nobody is promised a turn. */
        NONE,
        /** First come, first served between clients. */
        FIFO
    }

    /** What ends a grant on the server when its client falls silent. */
    public enum Enforcement {
        /** Each grant has its own time to live. */
        LEASE,
        /** All grants of a client live as long as its session; the engine enforces shorter leases itself. */
        SESSION
    }

    /** An event that a grant outlives. */
    public enum Survives {
        /** The server process stops and starts again with its data. */
        SERVER_RESTART,
        /** The server, or the leader of several, dies and another takes over. */
        FAILOVER
    }
}
