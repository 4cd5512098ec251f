package io.hasp.evaluation.measure;

/**
 * Observations of a lock's safety while its speed was measured, over all threads of all processes. The absence of
 * violations proves nothing; one violation is a counter-example.
 *
 * @param holds observed holds
 * @param overlaps holds that began while another of the same lock had not ended
 * @param staleTokens fencing tokens that were not larger than the one before; zero if the lock offers none
 * @param lostHolds holds found to be lost at their release
 */
public record Safety(long holds, long overlaps, long staleTokens, long lostHolds) {
    static final Safety NOTHING_SEEN = new Safety(0, 0, 0, 0);

    Safety plus(Safety other) {
        return new Safety(
                holds + other.holds,
                overlaps + other.overlaps,
                staleTokens + other.staleTokens,
                lostHolds + other.lostHolds);
    }

    /**
     * Returns the number of violations.
     *
     * @return how often it did
     */
    public long violations() {
        return overlaps + staleTokens + lostHolds;
    }
}
