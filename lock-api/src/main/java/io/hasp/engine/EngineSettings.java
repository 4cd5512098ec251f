package io.hasp.engine;

/**
 * What holds for all locks of a client.
 *
 * @param renewedLease the lease of renewed locks, in nanoseconds: renewals that are due within a twelfth of it travel together
 * @param unavailableAfter how long attempts may fail before a waiter is told, in nanoseconds
 * @param handOffs how often in a row a grant may be passed on within this client
 * @param handOffWithin for how long in a row, in nanoseconds
 * @param observed whether anybody wants to hear of what goes well, too
 * @param sessions whether the server ends grants with the client's session, not each with a lease of its own
 */
public record EngineSettings(
        long renewedLease,
        long unavailableAfter,
        int handOffs,
        long handOffWithin,
        boolean observed,
        boolean sessions) {}
