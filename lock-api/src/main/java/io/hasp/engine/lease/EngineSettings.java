package io.hasp.engine.lease;

/**
 * Settings that all locks of a client share.
 *
 * @param renewedLease the lease of renewed locks, in nanoseconds: renewals that are due within a twelfth of it travel together
 * @param unavailableAfter the time for which attempts may fail before a waiter fails, in nanoseconds
 * @param handOffs the number of times in a row that a grant may pass on within this client
 * @param handOffWithin the time for which it may do so in a row, in nanoseconds
 * @param observed true if listeners receive successes, too
 * @param sessions true if the server ends grants with the client's session, false if each has a lease of its own
 * @param keep the time for which an unused grant is kept after its release, in nanoseconds; zero if it is not
 * @param mostAsking the number of contenders for a shared lock that ask the server at a time
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
    /** Enough to keep the server busy with one client, too few for it to meet a crowd. */
    public static final int USUAL_ASKING = 16;

    /** The most that fits beside a server token in a public one. */
    public static final int MOST_HAND_OFFS = 255;

    /**
     * In nanoseconds. After Dice, Marathe and Shavit, <em>Lock Cohorting: A General Technique for Designing NUMA Locks</em> (PPoPP 2012).
     */
    public static final long LONGEST_HAND_OFF = 20_000_000;

    /**
     * The time for which a try is repeated while another client may only keep the lock, in nanoseconds: as long as a live keeper needs to
     * answer, and some more.
     */
    public static final long RECALL_WITHIN = 40_000_000;

    /** Settings of a client that keeps no grants. */
    public EngineSettings(
            long renewedLease,
            long unavailableAfter,
            int handOffs,
            long handOffWithin,
            boolean observed,
            boolean sessions) {
        this(renewedLease, unavailableAfter, handOffs, handOffWithin, observed, sessions, 0, USUAL_ASKING);
    }

    /** The same settings with another number of contenders that ask at a time. */
    public EngineSettings mostAsking(int contenders) {
        return new EngineSettings(
                renewedLease, unavailableAfter, handOffs, handOffWithin, observed, sessions, keep, contenders);
    }

    /** The same settings with other bounds for hand-offs. */
    public EngineSettings handOffs(int most, long within) {
        return new EngineSettings(renewedLease, unavailableAfter, most, within, observed, sessions, keep, mostAsking);
    }
}
