package io.hasp.conformance.history;

import java.time.Duration;
import java.util.List;

/** The checks of a history. */
public final class Checks {

    private Checks() {}

    /**
     * No two clients hold a lock at once, a hold lasting from the answer of acquire to the call of release, or to the
     * moment its client noticed the loss; of a lock that is shared, no holders that weigh more than it has. A lock with leases breaks this when a client is paused: that is what it shows.
     *
     * @return the check
     */
    public static Check noOverlap() {
        return Check.ofFirst("no two clients hold it at once", new Overlap(Attempt::rawEnd));
    }

    /**
     * No two clients believe at once that they hold a lock: as {@link #noOverlap}, but a hold ends with its client's own
     * deadline, or where the client was last seen to believe. This is what a lock with leases can promise.
     *
     * @return the check
     */
    public static Check noOverlapOfBeliefs() {
        return Check.ofFirst("no two clients believe at once that they hold it", new Overlap(Attempt::cutEnd));
    }

    /**
     * A grant that was asked for after another one was answered has the larger fencing token, if the two could not hold the
     * lock together. Grants without a token are left out.
     *
     * @return the check
     */
    public static Check tokensIncrease() {
        return Check.ofFirst("a later grant has a larger token", TokenOrder::acrossCalls);
    }

    /**
     * As {@link #tokensIncrease}, and also among clients that wait side by side: by the time of the answers, among grants
     * that their clients believed in when they came. Sound only for a lock that detects losses by itself.
     *
     * @return the check
     */
    public static Check tokensIncreaseByAnswer() {
        return Check.ofFirst("grants have larger tokens in the order of the answers", TokenOrder::byAnswer);
    }

    /**
     * No token is given out twice, except to a client that re-enters.
     *
     * @return the check
     */
    public static Check tokensUnique() {
        return Check.ofFirst("no token is given twice", TokenOrder::unique);
    }

    /**
     * No increment of the counter that a lock protects is lost: no value is written twice, and the final count, if it was
     * written down, is not less than the increments.
     *
     * @return the check
     */
    public static Check noLostUpdate() {
        return Check.ofFirst("no update of the counter is lost", LostUpdates::find);
    }

    /**
     * No client goes on waiting while the lock certainly has room for it and for each that waits beside it, and nobody gets it;
     * or is refused it after such a time. Faults written down are not counted as free time, and
     * neither is a hold that nobody ended properly (lost, unknown, killed), for as long as it may linger.
     *
     * @param bound how long a free lock may go unnoticed
     * @param lingering how long the server may keep what nobody released: the lease or session timeout, and some
     * @return the check
     */
    public static Check noLostWakeUp(Duration bound, Duration lingering) {
        return noLostWakeUp(bound, lingering, Allowance.NONE);
    }

    /**
     * As {@link #noLostWakeUp(Duration, Duration)} on a machine that may be busy.
     *
     * @param bound how long a free lock may go unnoticed
     * @param lingering how long the server may keep what nobody released: the lease or session timeout, and some
     * @param allowance what to add to the bound
     * @return the check
     */
    public static Check noLostWakeUp(Duration bound, Duration lingering, Allowance allowance) {
        return new Check(
                "nobody waits for, or is refused, what was free for " + bound.toMillis() + " ms",
                new LostWakeUps(bound.toNanos(), lingering.toNanos(), allowance));
    }

    /**
     * No client that waits for an exclusive lock sees another one get it that asked after the waiter had waited for a while without a fault. For
     * locks that are served in order.
     *
     * @param bound how long a waiter may need to reach the queue, and again after a fault began or ended
     * @return the check
     */
    public static Check noPassingOver(Duration bound) {
        return noPassingOver(bound, Allowance.NONE);
    }

    /**
     * As {@link #noPassingOver(Duration)} on a machine that may be busy.
     *
     * @param bound how long a waiter may need to reach the queue, and again after a fault began or ended
     * @param allowance what to add to the bound
     * @return the check
     */
    public static Check noPassingOver(Duration bound, Allowance allowance) {
        return new Check(
                "no waiter is passed over after " + bound.toMillis() + " ms",
                new PassedOver(bound.toNanos(), allowance));
    }

    /**
     * No client takes a lease for lost that the servers would have kept for longer than the doubt, except where a fault may have lost the
     * answer to the first renewal of a direct grant, and where the client's process stood still.
     *
     * @param stored what the servers had stored
     * @param doubt how long the servers may keep a lease beyond its client's belief
     * @param claim how long a direct grant waits for its first renewal
     * @return the check
     */
    public static Check noNeedlessLoss(StoredLeases stored, Duration doubt, Duration claim) {
        return new Check(
                "nobody loses what the server would have kept for " + doubt.toMillis() + " ms more",
                new NeedlessLosses(stored, doubt.toNanos(), claim.toNanos()));
    }

    /**
     * What every lock owes that detects losses and gives tokens; for one that does not, take fewer.
     *
     * @return belief overlaps, token order by answer and across calls, unique tokens, lost updates
     */
    public static List<Check> safety() {
        return List.of(
                noOverlapOfBeliefs(), tokensIncrease(), tokensIncreaseByAnswer(), tokensUnique(), noLostUpdate());
    }
}
