package io.hasp.engine.machine;

import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.FencingTokens;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.Keeping;
import io.hasp.engine.lease.LeaseLife;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.lease.Timed;
import io.hasp.engine.threads.Nanos;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Signal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The steps of {@link LockMachine} with one contender: it joins, asks, rests, and takes what the server answers. */
final class AttemptSteps {
    private static final long SHORTEST_POLL = TimeUnit.MILLISECONDS.toNanos(1);

    private AttemptSteps() {}

    static void joined(LockState lock, Contender contender) {
        if (lock.closing != null) {
            lock.took(Transition.JOINED_CLOSING);
            WaitEndSteps.finish(lock, contender, Outcome.CLOSED);
        } else if (contender.waits() && lock.kept == null) {
            lock.queue.waiting.add(contender);
            boolean first = lock.leases.maySend(contender);
            lock.took(first ? Transition.JOINED_FIRST : Transition.JOINED_BEHIND);
            if (first) {
                lock.ask(contender);
            } else {
                WaitEndSteps.reportWait(lock, contender);
            }
        } else {
            goOn(lock, contender);
        }
    }

    /** A contender asks, unless this client has what it asks for. */
    private static void goOn(LockState lock, Contender contender) {
        if (lock.kept != null) {
            ReleaseSteps.takeKept(lock, lock.kept, contender);
        } else if (contender.waits()) {
            lock.ask(contender);
        } else if (LeaseSteps.holderState(lock) == LeaseLife.State.HELD) {
            lock.took(Transition.TRIED_HELD_HERE);
            WaitEndSteps.contended(lock, contender);
        } else {
            lock.took(Transition.TRIED);
            lock.ask(contender);
        }
    }

    static void answered(
            LockState lock,
            Contender contender,
            int request,
            long sentAt,
            @Nullable Attempt attempt,
            @Nullable BackendFailure failure) {
        if (contender.awaits(request)) {
            answered(lock, contender, sentAt, attempt, failure);
        } else {
            // Its stage completes twice. By now its holder id may be another's, in the queue or with a lease.
            lock.took(Transition.ANSWERED_AGAIN);
        }
    }

    private static void answered(
            LockState lock,
            Contender contender,
            long sentAt,
            @Nullable Attempt attempt,
            @Nullable BackendFailure failure) {
        lock.queue.unanswered -= contender.arrived();
        lock.queue.requestArrived(contender);
        HeldLease predecessor = contender.takePredecessor();
        if (predecessor != null) {
            lock.leases.remove(predecessor);
        }
        boolean ended = contender.ended();
        contender.answered(attempt, failure, lock.now);
        if (ended) {
            answeredTooLate(lock, contender, attempt, failure);
        } else if (failure != null) {
            failed(lock, contender, sentAt, failure);
        } else if (attempt instanceof Attempt.Granted granted) {
            granted(lock, contender, sentAt, granted);
        } else if (attempt instanceof Attempt.Busy busy) {
            busy(lock, contender, busy);
        } else {
            gone(lock, contender);
        }
        if (predecessor != null && lock.queue.first() != contender) {
            lock.askNext();
        }
    }

    /** The contender's remains on the server have been withdrawn already. That withdrawal may have overtaken the request. */
    private static void answeredTooLate(
            LockState lock, Contender contender, @Nullable Attempt attempt, @Nullable BackendFailure failure) {
        Claim claim = contender.claim();
        boolean left = failure != null
                ? failure.outcome() == BackendFailure.Outcome.UNKNOWN
                : attempt instanceof Attempt.Granted || (attempt instanceof Attempt.Busy && claim.queue());
        lock.took(left ? Transition.ANSWERED_LATE_LEFT : Transition.ANSWERED_LATE);
        lock.queue.settled(contender, left ? lock.releases.withdraw(claim, claim.lease()) : null);
        if (failure != null) {
            WaitEndSteps.failOverdue(lock, failure);
        } else if (attempt instanceof Attempt.Busy && !contender.refusedByOwn()) {
            lock.heldAt = lock.now;
            WaitEndSteps.learned(lock);
        }
    }

    private static void granted(LockState lock, Contender contender, long sentAt, Attempt.Granted answer) {
        Grant grant = answer.grant();
        long validity = Nanos.of(grant.validity());
        long deadline = sentAt + validity - Nanos.drift(validity);
        if (lock.now >= deadline) {
            lock.took(Transition.GRANTED_LATE);
            discard(lock, contender, grant);
            String why = "the grant arrived after its validity of " + grant.validity() + " had passed";
            BackendFailure failure = unusable(BackendFailure.Kind.UNAVAILABLE, why);
            contender.note(failure);
            failed(lock, contender, sentAt, failure);
        } else if (!FencingTokens.canCarry(grant.token())) {
            lock.took(Transition.GRANTED_BAD_TOKEN);
            discard(lock, contender, grant);
            String why = "the token " + grant.token() + " on the server is out of range";
            failForGood(lock, contender, unusable(BackendFailure.Kind.INCOMPATIBLE, why));
        } else if (contender.news() == Signal.LOST || lock.leases.overtaken(grant)) {
            lock.took(Transition.GRANTED_LOST);
            discard(lock, contender, grant);
            proceed(lock, contender);
        } else {
            lock.took(lock.closing == null ? Transition.GRANTED : Transition.GRANTED_CLOSING);
            LeaseTerms terms = lock.closing == null ? contender.terms : contender.terms.unused();
            HeldLease lease = new HeldLease(grant, terms, lock.settings, sentAt, deadline, lock.now);
            if (lock.keeping != null) {
                lease.renewal.grantedAt(contender.clockDifference());
                mayBeKept(lock, lock.keeping, lease, answer.recallable());
            }
            ReleaseSteps.hold(lock, contender, lease);
            // Not before: the signal may end the lease, and the next contender asks then.
            Signal news = contender.news();
            if (news != null) {
                LeaseSteps.leaseSignalled(lock, lease, news);
            }
            if (contender.wanted()) {
                LeaseSteps.leaseSignalled(lock, lease, Signal.WANTED);
            }
        }
    }

    private static void mayBeKept(LockState lock, Keeping keeping, HeldLease lease, boolean recallable) {
        if (recallable) {
            lease.recallable();
        }
        if (!lease.grant.claim().keeps()) {
            keeping.grantedPlainly(lock.name);
        }
    }

    private static BackendFailure unusable(BackendFailure.Kind kind, String message) {
        return new BackendFailure(kind, BackendFailure.Outcome.UNKNOWN, message, null);
    }

    /** Gives a useless grant back, so that the contender can go on under a new holder id. */
    private static void discard(LockState lock, Contender contender, Grant grant) {
        lock.releases.withdraw(grant.claim(), grant.claim().lease());
        startOver(lock, contender);
    }

    private static void startOver(LockState lock, Contender contender) {
        contender.startOver(Contender.claim(lock.name, lock.holderIds.get(), contender.terms, contender.wait));
    }

    private static void proceed(LockState lock, Contender contender) {
        if (lock.closing == null) {
            lock.ask(contender);
        } else {
            WaitEndSteps.finish(lock, contender, Outcome.CLOSED);
        }
    }

    private static void busy(LockState lock, Contender contender, Attempt.Busy answer) {
        long pollAfter = Math.max(Nanos.of(answer.pollAfter()), SHORTEST_POLL);
        lock.failingSince = Timed.NEVER;
        boolean byOwn = contender.refusedByOwn();
        if (byOwn) {
            WaitEndSteps.tryNow(lock, contender);
        } else {
            lock.heldAt = lock.now;
            WaitEndSteps.learned(lock);
        }
        long pause = answer.recalled() ? untilNextTry(lock, contender, pollAfter) : 0;
        if (pause > 0) {
            lock.took(Transition.BUSY_RECALLED);
            lock.queue.tryAgain(contender);
            rest(lock, contender, pause);
            return;
        }
        if (byOwn && (contender.isOver(lock.now) || lock.queue.overdue)) {
            refusedByOwn(lock, contender, pollAfter);
        } else if (contender.isOver(lock.now)) {
            lock.took(Transition.REFUSED);
            WaitEndSteps.contended(lock, contender);
        } else {
            lock.took(contender.signalled() ? Transition.BUSY_SIGNALLED : Transition.BUSY);
            rest(lock, contender, pollAfter);
        }
    }

    /** The refusal may be due to something that this client had given up. When that is gone, the server is asked again. */
    private static void refusedByOwn(LockState lock, Contender contender, long pollAfter) {
        lock.took(Transition.BUSY_WITH_OWN);
        if (lock.closing != null) {
            WaitEndSteps.finish(lock, contender, Outcome.CLOSED);
            return;
        }
        if (contender.isOver(lock.now) && !contender.signalled()) {
            contender.rest(Timed.NEVER);
            lock.setAlarm(contender);
        } else {
            rest(lock, contender, pollAfter);
        }
        WaitEndSteps.askAgain(lock, contender);
    }

    /** Something of this client is gone from the server: contenders that waited only for that go on. */
    static void goOnBehind(LockState lock) {
        for (Contender contender : List.copyOf(lock.queue.trying)) {
            if (contender.asksAgain()) {
                lock.took(Transition.SETTLED);
                goOn(lock, contender);
            }
        }
        for (Contender contender : List.copyOf(lock.queue.waiting)) {
            if (contender.isOver(lock.now) || (lock.queue.overdue && lock.queue.first() == contender)) {
                WaitEndSteps.askAgain(lock, contender);
            }
        }
    }

    /**
     * The refusal of a try is not final while the holder may only keep the lock: soon it has released the lock, or has reported that the
     * lock is in use.
     */
    private static long untilNextTry(LockState lock, Contender contender, long first) {
        boolean again = !contender.waits() && lock.closing == null;
        return again ? contender.nextTry(lock.now, first, EngineSettings.RECALL_WITHIN) : 0;
    }

    private static void gone(LockState lock, Contender contender) {
        lock.failingSince = Timed.NEVER;
        startOver(lock, contender);
        boolean again = contender.tolerates();
        if (again || !contender.isOver(lock.now)) {
            lock.took(again ? Transition.GONE : Transition.GONE_AGAIN);
            rest(lock, contender, again ? 0 : contender.firstBackOff());
        } else {
            lock.took(Transition.GONE_FOR_GOOD);
            failForGood(
                    lock, contender, unusable(BackendFailure.Kind.UNAVAILABLE, "the backend takes no new holder id"));
        }
    }

    /** Contenders behind this one whose wait is over end by the same answer. */
    private static void failForGood(LockState lock, Contender contender, BackendFailure failure) {
        contender.note(failure);
        WaitEndSteps.learned(lock);
        WaitEndSteps.fail(lock, contender, failure);
    }

    private static void failed(LockState lock, Contender contender, long sentAt, BackendFailure failure) {
        if (failure.kind() != BackendFailure.Kind.UNAVAILABLE) {
            lock.took(Transition.FAILED_FOR_GOOD);
            failForGood(lock, contender, failure);
            return;
        }
        lock.failingSince = Math.min(lock.failingSince, sentAt);
        failOthers(lock, contender, failure);
        WaitEndSteps.learned(lock);
        if (contender.isOver(lock.now) || hasFailedTooLong(lock, contender)) {
            lock.took(Transition.FAILED_TOO_LONG);
            WaitEndSteps.fail(lock, contender, failure);
        } else {
            lock.took(Transition.FAILED);
            rest(lock, contender, contender.nextBackOff());
        }
    }

    private static void failOthers(LockState lock, Contender contender, BackendFailure failure) {
        for (Contender other : lock.queue.lastFirst()) {
            if (other != contender && hasFailedTooLong(lock, other)) {
                lock.took(Transition.FAILED_OTHERS);
                WaitEndSteps.fail(lock, other, failure);
            }
        }
    }

    private static boolean hasFailedTooLong(LockState lock, Contender contender) {
        long limit = Math.min(lock.settings.unavailableAfter(), contender.wait);
        return lock.now - Math.max(lock.failingSince, contender.joinedAt) >= limit;
    }

    private static void rest(LockState lock, Contender contender, long pause) {
        if (contender.signalled() || pause <= 0) {
            proceed(lock, contender);
        } else {
            WaitEndSteps.reportWait(lock, contender);
            contender.rest(lock.now + pause);
            lock.setAlarm(contender);
        }
    }

    static void gaveUp(LockState lock, Contender contender, Outcome outcome) {
        lock.took(Transition.GAVE_UP);
        WaitEndSteps.finish(lock, contender, outcome);
    }

    static void dropped(LockState lock, Contender contender) {
        lock.took(Transition.DROPPED);
        lock.queue.unanswered -= contender.arrived();
        lock.queue.requestArrived(contender);
        lock.queue.settled(contender, null);
        HeldLease predecessor = contender.takePredecessor();
        contender.dropped();
        if (predecessor != null && lock.leases.remove(predecessor)) {
            lock.askNext();
        }
    }

    static void signalled(LockState lock, Contender contender, HolderId holderId, Signal signal) {
        if (!contender.ended() && contender.claim().holder().equals(holderId)) {
            contenderSignalled(lock, contender, signal);
            return;
        }
        Contender other = lock.leases.firstAsksForAll() ? null : lock.queue.waitingAs(holderId);
        if (other != null) {
            contenderSignalled(lock, other, signal);
            return;
        }
        HeldLease lease = lock.leases.of(holderId);
        if (lease != null) {
            LeaseSteps.leaseSignalled(lock, lease, signal);
        } else if (lock.kept != null && lock.kept.is(holderId)) {
            KeepSteps.signalled(lock, lock.kept, signal);
        } else if (signal == Signal.WANTED && contender.terms.takenAtLeast().isEmpty()) {
            recalledLate(lock, contender.claim().withHolder(holderId));
        } else {
            lock.took(Transition.SIGNAL_IGNORED);
        }
    }

    private static void contenderSignalled(LockState lock, Contender contender, Signal signal) {
        contender.hear(signal);
        boolean wakes = signal != Signal.SUSPECT && contender.is(Contender.Phase.RESTING);
        lock.took(wakes ? Transition.SIGNALLED_RESTING : Transition.SIGNALLED_ASKING);
        if (wakes) {
            lock.ask(contender);
        }
    }

    /** Another client waits for a holder id that is not in use here: it may be a late grant. */
    private static void recalledLate(LockState lock, Claim claim) {
        if (lock.releases.isPending(claim.holder())) {
            lock.took(Transition.SIGNAL_IGNORED);
        } else {
            lock.took(Transition.RECALLED_LATE);
            lock.releases.releaseOnce(claim);
        }
    }

    /** The wait may be over already. */
    static void slept(LockState lock, Contender contender) {
        lock.took(Transition.SLEPT);
        contender.watch();
        timePassed(lock, contender);
        lock.setAlarm(contender);
    }

    static void alarmed(LockState lock, Contender contender) {
        contender.alarm = Timed.NEVER;
        timePassed(lock, contender);
        lock.setAlarm(contender);
    }

    /** A contender asks again, or its wait is over. */
    private static void timePassed(LockState lock, Contender contender) {
        if (contender.ended()) {
            return;
        }
        if (contender.rested(lock.now)) {
            lock.took(Transition.POLLED);
            goOn(lock, contender);
        }
        if (contender.ended()) {
            return;
        }
        if (contender.looksNow(lock.now)) {
            lock.took(Transition.LOOKED);
            WaitEndSteps.look(lock, contender);
        }
        if (contender.isOver(lock.now) && !contender.triesAgain()) {
            waitIsOver(lock, contender);
        }
    }

    private static void waitIsOver(LockState lock, Contender contender) {
        if (WaitEndSteps.askAgain(lock, contender) || WaitEndSteps.decided(lock, contender)) {
            return;
        }
        if (contender.restsBehind()) {
            WaitEndSteps.tryNow(lock, contender);
        } else {
            WaitEndSteps.overdue(lock, contender);
        }
    }
}
