package io.hasp;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Signal;
import io.hasp.spi.Transfer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The contenders of one client for one lock name, first come, first served. Only the first talks to the server, and only
 * while no lease of this client is alive: that alone removes the herd. Calls out of its monitor only after leaving it.
 */
final class LocalQueue {
    private static final long NOT_FAILING = Long.MAX_VALUE;

    final LockName name;
    /** How many contenders and leases use this queue; belongs to {@link LocalQueues}. */
    int users;

    private final Engine engine;
    private final ArrayDeque<Contender> waiting = new ArrayDeque<>();
    private @Nullable Tenure holder;
    private long failingSince = NOT_FAILING;
    /** When the lock was last granted to this client or refused to it. */
    private long heldAt = Long.MIN_VALUE;
    /** Tokens of the server's that are not above this one end with their lease. */
    private long tokenFloor;
    /** Whether a wait has ended that could not be decided: whoever learns something decides it. */
    private boolean overdue;

    LocalQueue(Engine engine, LockName name) {
        this.engine = engine;
        this.name = name;
    }

    void join(Contender contender) {
        boolean first;
        synchronized (this) {
            waiting.add(contender);
            first = holder == null && waiting.peekFirst() == contender;
        }
        if (first) {
            contender.proceed();
        }
    }

    /** The next one goes on; not while the client closes, which ends all of them one by one and not each within another. */
    void leave(Contender contender) {
        Contender next;
        synchronized (this) {
            boolean wasFirst = waiting.peekFirst() == contender;
            waiting.remove(contender);
            next = wasFirst && holder == null ? waiting.peekFirst() : null;
        }
        if (next != null && !engine.closed()) {
            next.proceed();
        }
    }

    /** A new lease. If an older one believes to be alive still, the server knows better: it granted the lock again. */
    void granted(Contender contender, Tenure lease) {
        Tenure older;
        synchronized (this) {
            waiting.remove(contender);
            older = holder;
            holder = lease;
            failingSince = NOT_FAILING;
            heldAt = engine.now();
        }
        if (older != null) {
            older.denied("the server granted the lock to another holder of this client");
        }
        learned();
    }

    /** The lease is over; whoever is next may talk to the server. */
    void ended(Tenure lease) {
        Contender next = null;
        synchronized (this) {
            if (holder == lease) {
                holder = null;
                next = waiting.peekFirst();
            }
        }
        engine.queues.leave(this);
        if (next != null) {
            next.proceed();
        }
    }

    /** A wait has ended, and its contender, which never was at the head, goes by what others learn. */
    synchronized void overdue() {
        overdue = true;
    }

    /** Something was learned that may decide waits that have ended. */
    private void learned() {
        List<Contender> all;
        synchronized (this) {
            if (!overdue) {
                return;
            }
            overdue = false;
            all = new ArrayList<>(waiting);
        }
        for (Contender contender : all) {
            if (!contender.attempts.begun() && !contender.reconsidered()) {
                overdue();
            }
        }
    }

    /**
     * Passes a released lease's grant on: to the next local contender without a round trip if that is allowed, else back to
     * the server, in one flight with the next contender's first attempt if it has not asked yet. One that waits on the server
     * under a holder id of its own asks again for itself: a second request of that id would queue it behind itself.
     *
     * @return completes when the released lease has no effect on the server any more
     */
    CompletionStage<Released> giveBack(Tenure lease) {
        for (Contender next = next(lease); next != null; next = next(lease)) {
            if (next.takesHandOff(lease.grant.claim().lease()) && lease.handOffAllowed() && aboveFloor(lease)) {
                if (next.takeOver(lease)) {
                    engine.queues.leave(this);
                    return CompletableFuture.completedFuture(Released.RELEASED);
                }
                skip(next);
            } else {
                Claim claim = next.attempts.beginUnsent();
                if (claim != null) {
                    return transfer(lease, next, claim);
                }
                break;
            }
        }
        return engine.backend.release(lease.grant.claim()).whenComplete((released, thrown) -> {
            withdrawUnless(thrown == null, lease);
            ended(lease);
        });
    }

    private CompletionStage<Released> transfer(Tenure lease, Contender next, Claim claim) {
        long sentAt = engine.now();
        Transfer answers = engine.backend.transfer(lease.grant, claim, next.attempts.listener(claim));
        CompletionStage<Released> released = answers.released().whenComplete((found, thrown) -> {
            withdrawUnless(thrown == null, lease);
            passed(lease, next);
            engine.queues.leave(this);
        });
        answers.attempt().whenComplete((attempt, thrown) -> {
            passed(lease, next);
            next.attempts.conclude(sentAt, attempt, thrown);
        });
        return released;
    }

    /** Before the queue is left: a client that closes must see at every moment that something is to be released. */
    private static void withdrawUnless(boolean answered, Tenure lease) {
        if (!answered) {
            lease.withdraw();
        }
    }

    /** The lease no longer stands in anybody's way; the one we asked for may have given up meanwhile. */
    private void passed(Tenure lease, Contender askedFor) {
        Contender first = null;
        synchronized (this) {
            if (holder == lease) {
                holder = null;
                first = waiting.peekFirst();
            }
        }
        if (first != null && first != askedFor) {
            first.proceed();
        }
    }

    synchronized void raiseTokenFloor(long serverToken) {
        tokenFloor = Math.max(tokenFloor, serverToken);
    }

    private synchronized boolean aboveFloor(Tenure lease) {
        return lease.grant.token() > tokenFloor;
    }

    private synchronized @Nullable Contender next(Tenure lease) {
        return holder == lease ? waiting.peekFirst() : null;
    }

    private synchronized void skip(Contender ended) {
        waiting.remove(ended);
    }

    /** A backend's news about a holder that may hold a lease here. */
    void signalled(HolderId holderId, Signal signal) {
        Tenure lease = holder();
        if (lease != null && lease.holder().equals(holderId)) {
            lease.onSignal(signal);
        }
    }

    synchronized @Nullable Tenure holder() {
        return holder;
    }

    synchronized void answered() {
        failingSince = NOT_FAILING;
    }

    /** An attempt was answered: another holder has the lock. */
    void refused() {
        synchronized (this) {
            failingSince = NOT_FAILING;
            heldAt = engine.now();
        }
        learned();
    }

    /** Lets the contender that talks to the server, if there is one, attempt again without waiting for a signal. */
    void lookAgain() {
        Contender first;
        synchronized (this) {
            first = holder == null ? waiting.peekFirst() : null;
        }
        if (first != null) {
            first.proceed();
        }
    }

    /** Whether the lock is known to have been somebody's at that moment or later. */
    synchronized boolean heldSince(long moment) {
        return heldAt >= moment;
    }

    /** Notes that an attempt failed; says since when attempts have been failing, and fails all who waited too long. */
    long failed(Contender reporter, long sentAt, BackendFailure failure) {
        long since;
        List<Contender> others;
        synchronized (this) {
            failingSince = Math.min(failingSince, sentAt);
            since = failingSince;
            others = new ArrayList<>(waiting);
        }
        for (Contender other : others) {
            if (other != reporter) {
                other.failIfOverdue(since, failure);
            }
        }
        learned();
        return since;
    }

    /** What is known about the lock on behalf of a contender that was never at the head. */
    Evidence evidence() {
        Tenure lease;
        Contender first;
        synchronized (this) {
            lease = holder;
            first = waiting.peekFirst();
        }
        if (lease != null) {
            return switch (lease.state()) {
                case HELD -> new Evidence.Busy();
                case SUSPECT -> new Evidence.Failed(lease.doubt());
                case LOST, RELEASED -> new Evidence.Unanswered();
            };
        }
        return first == null ? new Evidence.Unanswered() : first.attempts.evidence();
    }

    synchronized List<Contender> contenders() {
        return new ArrayList<>(waiting);
    }
}
