package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.LeaseLife;
import io.hasp.engine.lease.Timed;
import io.hasp.spi.BackendFailure;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The steps of {@link LockMachine} that end a wait without a lease, as soon as it can be decided what to answer. */
final class WaitEndSteps {
    private WaitEndSteps() {}

    /** A wait is about to end. The first contender asks; of a shared lock, each asks for itself. */
    static void look(LockState lock, Contender contender) {
        if (lock.leases.firstAsksForAll()) {
            lock.askNext();
        } else if (!contender.inFlight()) {
            lock.ask(contender);
        }
    }

    /** A wait is over without a decision. Answers to other contenders say nothing about a share of another size. */
    static void overdue(LockState lock, Contender contender) {
        lock.took(Transition.OVERDUE);
        if (lock.leases.firstAsksForAll()) {
            lock.queue.overdue = true;
            Contender first = lock.queue.first();
            if (first != null && !askAgain(lock, first)) {
                tryNow(lock, first);
            }
        } else if (!contender.inFlight() && !contender.is(Contender.Phase.LEFT)) {
            lock.ask(contender);
        }
    }

    /** The server answers again: what is pending and in this contender's way need not wait for its next try. */
    static void tryNow(LockState lock, Contender contender) {
        LeaseSteps.lowerNow(lock, contender);
        lock.releases.tryNow(contender);
    }

    /** Ends a wait that is over, if the present knowledge decides it. */
    static boolean decided(LockState lock, Contender contender) {
        boolean queued = contender.is(Contender.Phase.QUEUED);
        if (queued && !lock.leases.firstAsksForAll()) {
            return false;
        }
        // A newer lease says more than a refusal that may be due to this client's own.
        boolean byOthers = queued || (contender.refusedByOwn() && lock.leases.holder() != null);
        Contender.Evidence evidence = byOthers ? evidence(lock) : contender.evidence();
        if (evidence == Contender.Evidence.FAILED) {
            lock.took(Transition.OVER_FAILED);
            fail(lock, contender, Objects.requireNonNull(byOthers ? whyFailed(lock) : contender.lastFailure()));
        } else if (evidence == Contender.Evidence.BUSY || (queued && lock.heldAt >= contender.end())) {
            lock.took(Transition.OVER_CONTENDED);
            contended(lock, contender);
        } else {
            return false;
        }
        return true;
    }

    /**
     * Asks again after everything that this client had given up is gone: the server, or a newer lease of this client, shows the holder.
     * True if the server is asked.
     */
    static boolean askAgain(LockState lock, Contender contender) {
        boolean settled = contender.asksAgain();
        boolean may = settled && (lock.leases.holder() == null || !contender.waits());
        if (may) {
            lock.took(Transition.SETTLED);
            lock.ask(contender);
        } else if (settled && contender.isOver(lock.now)) {
            decided(lock, contender);
        }
        return may;
    }

    /**
     * A pending release, or the lowering of a share, has failed. It is retried if the server has answered since its request. Otherwise
     * contenders fail whose wait is over and depends on that request only.
     */
    static void failBehind(LockState lock, Timed given, long askedAt, BackendFailure failure) {
        for (Contender contender : lock.queue.lastFirst()) {
            failBehind(lock, contender, given, askedAt, failure);
        }
        for (Contender contender : List.copyOf(lock.queue.trying)) {
            failBehind(lock, contender, given, askedAt, failure);
        }
    }

    private static void failBehind(
            LockState lock, Contender contender, Timed given, long askedAt, BackendFailure failure) {
        boolean over = contender.isOver(lock.now);
        if (!contender.restsBehind() || !contender.isBehind(given) || !(over || lock.queue.overdue)) {
            return;
        }
        if (contender.refusedAfter(askedAt)) {
            tryNow(lock, contender);
        } else if (over) {
            lock.took(Transition.SETTLED_NOT);
            fail(lock, contender, failure);
        } else {
            failOverdue(lock, failure);
        }
    }

    /** The knowledge about the lock for a contender that was never the first. */
    private static Contender.Evidence evidence(LockState lock) {
        LeaseLife.State state = LeaseSteps.holderState(lock);
        if (state != null) {
            return switch (state) {
                case HELD -> Contender.Evidence.BUSY;
                case SUSPECT -> Contender.Evidence.FAILED;
                case LOST, RELEASED -> Contender.Evidence.UNANSWERED;
            };
        }
        Contender first = lock.queue.first();
        return first == null ? Contender.Evidence.UNANSWERED : first.evidence();
    }

    private static @Nullable BackendFailure whyFailed(LockState lock) {
        Contender first = lock.queue.first();
        HeldLease holder = lock.leases.holder();
        return holder != null ? holder.renewal.whyDoubted() : first == null ? null : first.lastFailure();
    }

    /** New knowledge may decide waits that are over. */
    static void learned(LockState lock) {
        if (!lock.queue.overdue) {
            return;
        }
        lock.queue.overdue = false;
        for (Contender contender : lock.queue.lastFirst()) {
            if (contender.is(Contender.Phase.QUEUED) && contender.isOver(lock.now) && !decided(lock, contender)) {
                lock.queue.overdue = true;
            }
        }
    }

    /** Fails contenders whose wait is over and is otherwise undecided: the failure describes the service. */
    static void failOverdue(LockState lock, BackendFailure failure) {
        if (lock.queue.overdue) {
            for (Contender contender : lock.queue.lastFirst()) {
                if (contender.is(Contender.Phase.QUEUED) && contender.isOver(lock.now)) {
                    lock.took(Transition.OVER_FAILED);
                    fail(lock, contender, failure);
                }
            }
        }
    }

    /** The contender goes on as soon as others release the lock, or the service answers again. */
    static void reportWait(LockState lock, Contender contender) {
        if (lock.settings.observed() && !contender.waitReported) {
            lock.effects.add(new Effect.Report(new Notice.Waiting(lock.name)));
            contender.waitReported = true;
        }
    }

    static void reportWaitEnd(LockState lock, Contender contender) {
        if (contender.waitReported) {
            lock.effects.add(new Effect.Report(new Notice.WaitEnded(lock.name)));
            contender.waitReported = false;
        }
    }

    private static void reportEnd(LockState lock, Contender contender, Outcome outcome) {
        reportWaitEnd(lock, contender);
        if (outcome instanceof Outcome.Failed failed && lock.settings.observed() && contender.reportsRefusal()) {
            String why = String.valueOf(failed.failure().getMessage());
            lock.effects.add(new Effect.Report(new Notice.Unavailable(lock.name, lock.now - contender.joinedAt, why)));
        }
    }

    /** Ends without the lock because others hold it. */
    static void contended(LockState lock, Contender contender) {
        reportWaitEnd(lock, contender);
        if (contender.reportsRefusal()) {
            lock.effects.add(new Effect.Report(new Notice.Contended(lock.name, lock.now - contender.joinedAt)));
        }
        finish(lock, contender, Outcome.CONTENDED);
    }

    static void fail(LockState lock, Contender contender, BackendFailure failure) {
        if (failure.outcome() == BackendFailure.Outcome.UNKNOWN) {
            lock.effects.add(new Effect.Report(new Notice.OutcomeUnknown(lock.name)));
        }
        finish(lock, contender, new Outcome.Failed(failure));
    }

    /** Ends without a lease, and withdraws what may be left on the server. */
    static void finish(LockState lock, Contender contender, Outcome outcome) {
        if (contender.ended()) {
            return;
        }
        if (contender.mayBeOnServer()) {
            lock.releases.withdraw(contender.claim(), contender.claim().lease());
        }
        if (contender.inFlight()) {
            lock.queue.leavesRequest(contender);
        }
        reportEnd(lock, contender, outcome);
        boolean front = !lock.leases.firstAsksForAll() || lock.queue.first() == contender;
        lock.effects.add(new Effect.Complete(contender, outcome));
        contender.finish();
        lock.queue.leave(contender);
        lock.setAlarm(contender);
        if (front) {
            lock.askNext();
        }
    }
}
