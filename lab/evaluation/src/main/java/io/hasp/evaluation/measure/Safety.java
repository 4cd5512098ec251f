package io.hasp.evaluation.measure;

/**
 * What was seen of a lock's safety while its speed was measured, over all threads of all processes. No violation proves
 * nothing; one is a counter-example.
 *
 * @param holds how many holds were watched
 * @param overlaps holds that began while another of the same lock had not ended
 * @param staleTokens fencing tokens that were not larger than the one before; zero if the lock offers none
 * @param lostHolds holds that were found to be lost when they were released
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
     * Everything that must not happen.
     *
     * @return how often it did
     */
    public long violations() {
        return overlaps + staleTokens + lostHolds;
    }
}
