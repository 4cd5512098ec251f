package io.hasp.engine.lease;

/**
 * What holds for all locks of a client.
 *
 * @param renewedLease the lease of renewed locks, in nanoseconds: renewals that are due within a twelfth of it travel together
 * @param unavailableAfter how long attempts may fail before a waiter is told, in nanoseconds
 * @param handOffs how often in a row a grant may be passed on within this client
 * @param handOffWithin for how long in a row, in nanoseconds
 * @param observed whether anybody wants to hear of what goes well, too
 * @param sessions whether the server ends grants with the client's session, not each with a lease of its own
 * @param keep for how long a grant is kept after its release without a use, in nanoseconds; zero if it is not
 * @param mostAsking how many contenders for a lock that several share ask the server at a time
 */
public record EngineSettings(
        long renewedLease,
        long unavailableAfter,
        int handOffs,
        long handOffWithin,
        boolean observed,
        boolean sessions,
        long keep,
        int mostAsking) {
    /** Enough for the server to be busy with one client's contenders, and not with all of a crowd. */
    public static final int USUAL_ASKING = 16;

    /** The most that fits beside a server token in a public one. */
    public static final int MOST_HAND_OFFS = 255;

    /**
     * In nanoseconds. After Dice, Marathe and Shavit, <em>Lock Cohorting: A General Technique for Designing NUMA Locks</em> (PPoPP 2012).
     */
    public static final long LONGEST_HAND_OFF = 20_000_000;

    /**
     * For how long a try asks again for a lock that another client may only keep, in nanoseconds: how long a keeper that lives needs to
     * answer, and some more.
     */
    public static final long RECALL_WITHIN = 40_000_000;

    /** For a client that keeps nothing. */
    public EngineSettings(
            long renewedLease,
            long unavailableAfter,
            int handOffs,
            long handOffWithin,
            boolean observed,
            boolean sessions) {
        this(renewedLease, unavailableAfter, handOffs, handOffWithin, observed, sessions, 0, USUAL_ASKING);
    }

    /** For a client of which so many ask at a time. */
    public EngineSettings mostAsking(int contenders) {
        return new EngineSettings(
                renewedLease, unavailableAfter, handOffs, handOffWithin, observed, sessions, keep, contenders);
    }

    /** For a client that passes grants on so often, and for so long. */
    public EngineSettings handOffs(int most, long within) {
        return new EngineSettings(renewedLease, unavailableAfter, most, within, observed, sessions, keep, mostAsking);
    }
}
