package io.hasp.engine.machine;

import io.hasp.engine.lease.Timed;
import io.hasp.spi.HolderId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The contenders of one client for one lock: those that wait, first come, first served, and those without a wait that are refused for
 * the moment. Not thread-safe.
 */
final class ContenderQueue {
    final ArrayDeque<Contender> waiting = new ArrayDeque<>(2);

    /** Contenders without a wait that try again: the holder may only keep the lock, or this client has not released it yet. */
    List<Contender> trying = List.of();

    /** Ended contenders with an unanswered request, which may still take the lock. */
    List<Contender> left = List.of();

    /** The contender whose lease begins in the present event. */
    @Nullable
    Contender beginning;

    int unanswered;

    /** True if a wait is over and nothing has decided it: the next news does. */
    boolean overdue;

    private boolean anyBehind;
    private boolean settled;

    /** True if no contender waits or tries, and no request is unanswered. */
    boolean idle() {
        return trying.isEmpty() && waiting.isEmpty() && unanswered == 0;
    }

    @Nullable
    Contender first() {
        return waiting.peekFirst();
    }

    /** The last one first: when several waits end, no contender asks only because the one before it has left. */
    List<Contender> lastFirst() {
        List<Contender> all = new ArrayList<>(waiting);
        Collections.reverse(all);
        return all;
    }

    /** The contender that waits under a holder id; null if there is none. */
    @Nullable
    Contender waitingAs(HolderId id) {
        for (Contender contender : waiting) {
            if (contender.claim().holder().equals(id)) {
                return contender;
            }
        }
        return null;
    }

    /** Adds a contender without a wait that tries again later. */
    void tryAgain(Contender contender) {
        if (trying.isEmpty()) {
            trying = new ArrayList<>(2);
        }
        if (!trying.contains(contender)) {
            trying.add(contender);
        }
    }

    /** Removes a contender that has its outcome. */
    void leave(Contender contender) {
        waiting.remove(contender);
        if (!trying.isEmpty()) {
            trying.remove(contender);
        }
    }

    /** Notes that a contender ends while a request of it is unanswered. */
    void leavesRequest(Contender contender) {
        left = left.isEmpty() ? new ArrayList<>(2) : left;
        left.add(contender);
    }

    void requestArrived(Contender contender) {
        if (!left.isEmpty()) {
            left.remove(contender);
        }
    }

    /**
     * Notes what this client has given up and the server may still have while the contender asks. A contender without a wait joins those
     * that try again, so that it learns when that is gone.
     */
    void behind(Contender contender, List<Timed> given) {
        contender.behind(given);
        if (!given.isEmpty()) {
            anyBehind = true;
            if (!contender.waits()) {
                tryAgain(contender);
            }
        }
    }

    /** True if some contender may wait until something of this client is gone from the server. */
    boolean anyBehind() {
        return anyBehind;
    }

    /** Something of this client is gone from the server, unless a release of it is pending instead. */
    void settled(Timed given, @Nullable Timed instead) {
        if (!anyBehind) {
            return;
        }
        anyBehind = false;
        for (Contender contender : waiting) {
            anyBehind |= contender.settled(given, instead);
        }
        for (Contender contender : trying) {
            anyBehind |= contender.settled(given, instead);
        }
        settled = true;
    }

    /** True once after something was settled. */
    boolean takeSettled() {
        boolean taken = settled;
        settled = false;
        return taken;
    }
}
