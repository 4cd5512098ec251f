package io.hasp.conformance.history;

import java.time.Duration;
import java.util.List;

/** The checks of a history. Stateless. */
public final class Checks {

    private Checks() {}

    /**
     * Checks that no two clients hold a lock at once. A hold lasts from the answer of acquire to the call of release,
     * or to the moment when its client noticed the loss. For a shared lock, the holders must not weigh more than the
     * lock. A lock with leases violates this when a client is paused, and this check shows it.
     *
     * @return the check
     */
    public static Check noOverlap() {
        return Check.ofFirst("no two clients hold it at once", new Overlap(Attempt::rawEnd));
    }

    /**
     * Checks that no two clients consider a lock held at once. This is {@link #noOverlap}, but a hold ends with its
     * client's own deadline, or where the client was last seen to consider it held. A lock with leases can promise
     * this.
     *
     * @return the check
     */
    public static Check noOverlapOfBeliefs() {
        return Check.ofFirst("no two clients assume the lock at once", new Overlap(Attempt::cutEnd));
    }

    /**
     * Checks that a grant requested after another grant was answered has the larger fencing token, if the two could not
     * hold the lock together. Grants without a token are ignored.
     *
     * @return the check
     */
    public static Check tokensIncrease() {
        return Check.ofFirst("a later grant has a larger token", TokenOrder::acrossCalls);
    }

    /**
     * The check of {@link #tokensIncrease}, extended to clients that wait side by side. It orders by the time of the
     * answers, among grants that their clients considered held when they came. Sound only for a lock that detects
     * losses by itself.
     *
     * @return the check
     */
    public static Check tokensIncreaseByAnswer() {
        return Check.ofFirst("grants have larger tokens in the order of the answers", TokenOrder::byAnswer);
    }

    /**
     * Checks that no token is given twice, except to a client that re-enters.
     *
     * @return the check
     */
    public static Check tokensUnique() {
        return Check.ofFirst("no token is given twice", TokenOrder::unique);
    }

    /**
     * Checks that no increment of the protected counter is lost: no value is written twice, and the recorded final
     * count, if any, is not less than the increments.
     *
     * @return the check
     */
    public static Check noLostUpdate() {
        return Check.ofFirst("no update of the counter is lost", LostUpdates::find);
    }

    /**
     * Checks that no client waits, or is refused after the same time, while the lock certainly has room for it and for
     * every other waiter and no grant happens. Time during recorded faults does not count as free. Neither does a hold
     * without a proper end (lost, unknown, killed), for as long as it may linger.
     *
     * @param bound how long a free lock may go unnoticed
     * @param lingering how long the server may keep a lock that was not released: the lease or session timeout, plus a
     *     margin
     * @return the check
     */
    public static Check noLostWakeUp(Duration bound, Duration lingering) {
        return noLostWakeUp(bound, lingering, Allowance.NONE);
    }

    /**
     * The check of {@link #noLostWakeUp(Duration, Duration)} for a machine that may be busy.
     *
     * @param bound how long a free lock may go unnoticed
     * @param lingering how long the server may keep a lock that was not released: the lease or session timeout, plus a
     *     margin
     * @param allowance the time to add to the bound
     * @return the check
     */
    public static Check noLostWakeUp(Duration bound, Duration lingering, Allowance allowance) {
        return new Check(
                "nobody waits for, or is refused, what was free for " + bound.toMillis() + " ms",
                new LostWakeUps(bound.toNanos(), lingering.toNanos(), allowance));
    }

    /**
     * Checks that no client that waits for an exclusive lock is overtaken by a client that requested it later, once the
     * waiter has waited for a while without a fault. For locks that are granted in order.
     *
     * @param bound how long a waiter may need to reach the queue, and again after a fault began or ended
     * @return the check
     */
    public static Check noPassingOver(Duration bound) {
        return noPassingOver(bound, Allowance.NONE);
    }

    /**
     * The check of {@link #noPassingOver(Duration)} for a machine that may be busy.
     *
     * @param bound how long a waiter may need to reach the queue, and again after a fault began or ended
     * @param allowance the time to add to the bound
     * @return the check
     */
    public static Check noPassingOver(Duration bound, Allowance allowance) {
        return new Check(
                "no waiter is passed over after " + bound.toMillis() + " ms",
                new PassedOver(bound.toNanos(), allowance));
    }

    /**
     * Checks that no client considers a lease lost that the servers would have kept for longer than the doubt. There
     * are two exceptions: a fault that may have lost the answer to the first renewal of a direct grant, and a pause of
     * the client's process.
     *
     * @param stored the leases stored by the servers
     * @param doubt how long the servers may keep a lease after its client considers it lost
     * @param claim how long a direct grant waits for its first renewal
     * @return the check
     */
    public static Check noNeedlessLoss(StoredLeases stored, Duration doubt, Duration claim) {
        return new Check(
                "nobody loses what the server would have kept for " + doubt.toMillis() + " ms more",
                new NeedlessLosses(stored, doubt.toNanos(), claim.toNanos()));
    }

    /**
     * Checks that no client considers a grant held for longer than a time after an operator broke it.
     *
     * @param bound the lease or session timeout: no renewal can confirm the grant after its end
     * @return the check
     */
    public static Check brokenHoldsEnd(Duration bound) {
        return new Check(
                "no client believes for " + bound.toMillis() + " ms after a break", new BrokenHolds(bound.toNanos()));
    }

    /**
     * Returns the checks for a lock that detects losses and gives tokens. For other locks, use fewer.
     *
     * @return belief overlaps, token order by answer and across calls, unique tokens, lost updates
     */
    public static List<Check> safety() {
        return List.of(
                noOverlapOfBeliefs(), tokensIncrease(), tokensIncreaseByAnswer(), tokensUnique(), noLostUpdate());
    }
}
