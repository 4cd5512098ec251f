package io.hasp;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Timing;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One contender's conversation with the server: attempts and rests in turn, under one holder id after another, until it
 * ends; and what of it may be left there. Events arrive from any thread and meet in the monitor.
 */
final class Attempts {
    private static final long FIRST_BACK_OFF = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_BACK_OFF = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORTEST_POLL = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int MOST_GONE_IN_A_ROW = 3;

    private enum Phase {
        QUEUED,
        ATTEMPTING,
        RESTING,
        ENDED
    }

    private final Engine engine;
    private final LocalQueue queue;
    private final Contender contender;
    private final Footprint footprint;

    private Phase phase = Phase.QUEUED;
    private boolean seenBusy;
    /** Whether the end came while an attempt was unanswered, whose answer the queue of the name waits for. */
    private boolean answerOwed;

    private boolean signalled;
    private int goneInARow;
    private long backOff = FIRST_BACK_OFF;
    private @Nullable BackendFailure lastFailure;
    private @Nullable HolderNews news;
    private Timing.@Nullable Timer wakeUp;

    Attempts(Engine engine, LocalQueue queue, Contender contender, Terms terms, boolean waits) {
        this.engine = engine;
        this.queue = queue;
        this.contender = contender;
        this.footprint = new Footprint(engine, queue.name, terms, waits);
    }

    /** Makes one attempt on this thread, which may block. */
    void attempt() {
        Claim attempted = begin();
        if (attempted != null) {
            long sentAt = engine.now();
            engine.backend
                    .acquire(attempted, listener(attempted))
                    .whenComplete((attempt, thrown) -> conclude(sentAt, attempt, thrown));
        }
    }

    /** Like {@link #begin}, but null as well if the server may know the claim already: that one asks again for itself. */
    synchronized @Nullable Claim beginUnsent() {
        return footprint.everSent() ? null : begin();
    }

    /** What to ask the server for on the contender's behalf; null if it has ended, or asks already. */
    synchronized @Nullable Claim begin() {
        if (phase == Phase.ENDED || phase == Phase.ATTEMPTING) {
            return null;
        }
        phase = Phase.ATTEMPTING;
        signalled = false;
        cancelWakeUp();
        return footprint.sent();
    }

    synchronized boolean begun() {
        return phase != Phase.QUEUED;
    }

    /** What this contender itself has learned from the server. */
    synchronized Evidence evidence() {
        if (footprint.inFlight()) {
            return new Evidence.Unanswered();
        }
        if (lastFailure != null) {
            return new Evidence.Failed(lastFailure);
        }
        return seenBusy ? new Evidence.Busy() : new Evidence.Unanswered();
    }

    /** Takes the answer to an attempt begun by {@link #begin}. */
    void conclude(long sentAt, @Nullable Attempt attempt, @Nullable Throwable thrown) {
        try {
            judge(sentAt, attempt, thrown);
        } catch (Throwable broken) {
            contender.broken(broken);
        }
    }

    private void judge(long sentAt, @Nullable Attempt attempt, @Nullable Throwable thrown) {
        BackendFailure failure = thrown == null ? null : Engine.failureOf(thrown);
        if (!answered(attempt, failure)) {
            withdrawAgain(attempt, failure);
        } else if (failure != null) {
            failed(sentAt, failure);
        } else if (attempt instanceof Attempt.Granted granted) {
            granted(sentAt, granted.grant());
        } else if (attempt instanceof Attempt.Busy busy) {
            busy(Durations.nanos(busy.pollAfter()));
        } else {
            gone();
        }
    }

    /**
     * Notes what the answer left on the server and what it tells, before anybody else can look; false if it has ended
     * meanwhile.
     */
    private synchronized boolean answered(@Nullable Attempt attempt, @Nullable BackendFailure failure) {
        footprint.answered();
        seenBusy = attempt instanceof Attempt.Busy;
        if (failure != null) {
            lastFailure = failure;
        } else if (seenBusy) {
            lastFailure = null;
        }
        if (phase == Phase.ENDED) {
            return false;
        }
        if (seenBusy) {
            footprint.queued();
        } else if (attempt instanceof Attempt.Granted
                || (failure != null && failure.outcome() == BackendFailure.Outcome.UNKNOWN)) {
            footprint.leftBehind();
        }
        return true;
    }

    /** The withdrawal may have overtaken the request that this answers: what it left on the server is withdrawn as well. */
    private void withdrawAgain(@Nullable Attempt attempt, @Nullable BackendFailure failure) {
        Claim last;
        boolean owed;
        synchronized (this) {
            last = footprint.claim();
            owed = answerOwed;
            answerOwed = false;
        }
        boolean unknown = failure != null && failure.outcome() == BackendFailure.Outcome.UNKNOWN;
        if (unknown || attempt instanceof Attempt.Granted || (attempt instanceof Attempt.Busy && last.queue())) {
            engine.withdrawals.withdraw(last);
        }
        if (owed) {
            engine.queues.leave(queue);
        }
    }

    private void granted(long sentAt, Grant grant) {
        long validity = Durations.nanos(grant.validity());
        long deadline = sentAt + validity - Durations.drift(validity);
        if (engine.now() >= deadline) {
            discard(grant);
            String why = "the grant arrived after its validity of " + grant.validity() + " had passed";
            failed(sentAt, unusable(BackendFailure.Kind.UNAVAILABLE, why));
        } else if (!Tenure.canCarry(grant.token())) {
            discard(grant);
            String why = "the token " + grant.token() + " on the server is out of range";
            contender.fail(unusable(BackendFailure.Kind.INCOMPATIBLE, why));
        } else {
            grantedFor(grant, deadline, sentAt);
        }
    }

    private void grantedFor(Grant grant, long deadline, long sentAt) {
        HolderNews heard;
        synchronized (this) {
            heard = Objects.requireNonNull(news);
        }
        if (heard.lost()) {
            discard(grant);
            rest(0);
        } else {
            contender.granted(grant, deadline, sentAt, heard);
        }
    }

    private static BackendFailure unusable(BackendFailure.Kind kind, String message) {
        return new BackendFailure(kind, BackendFailure.Outcome.UNKNOWN, message, null);
    }

    /** A grant that is of no use: give it back and go on under a new holder id. */
    private void discard(Grant grant) {
        engine.withdrawals.withdraw(grant.claim());
        synchronized (this) {
            footprint.startOver();
        }
    }

    private void busy(long pollAfter) {
        queue.refused();
        synchronized (this) {
            goneInARow = 0;
            backOff = FIRST_BACK_OFF;
        }
        if (contender.isOver()) {
            contender.giveUp();
        } else {
            rest(Math.max(pollAfter, SHORTEST_POLL));
        }
    }

    private void gone() {
        queue.answered();
        boolean again;
        synchronized (this) {
            footprint.startOver();
            again = ++goneInARow <= MOST_GONE_IN_A_ROW;
        }
        if (again || !contender.isOver()) {
            rest(again ? 0 : FIRST_BACK_OFF);
        } else {
            contender.fail(unusable(BackendFailure.Kind.UNAVAILABLE, "the backend takes no new holder id"));
        }
    }

    private void failed(long sentAt, BackendFailure failure) {
        long pause;
        synchronized (this) {
            lastFailure = failure;
            pause = backOff;
            backOff = Math.min(backOff * 2, LONGEST_BACK_OFF);
        }
        boolean lasting = failure.kind() != BackendFailure.Kind.UNAVAILABLE;
        long failingSince = lasting ? sentAt : queue.failed(contender, sentAt, failure);
        if (lasting || contender.isOver()) {
            contender.fail(failure);
        } else if (!contender.failIfOverdue(failingSince, failure)) {
            rest(pause);
        }
    }

    private void rest(long pause) {
        synchronized (this) {
            if (phase == Phase.ENDED) {
                return;
            }
            phase = Phase.RESTING;
            if (!signalled && pause > 0) {
                wakeUp = engine.schedule(pause, this::wake);
                return;
            }
        }
        contender.proceed();
    }

    /** There may be something to learn: attempts again now, or as soon as the present attempt is answered. */
    void wake() {
        synchronized (this) {
            if (phase != Phase.RESTING) {
                signalled = true;
                return;
            }
        }
        contender.proceed();
    }

    /** Hears the news of a claim that is to be sent now; only the holder id that was granted can lose a lease. */
    synchronized SignalListener listener(Claim about) {
        HolderNews heard = new HolderNews(this, queue, about.holder());
        news = heard;
        return heard;
    }

    synchronized boolean ended() {
        return phase == Phase.ENDED;
    }

    /** Ends it because the contender has a lease of its own now; false if it had ended before. */
    synchronized boolean end() {
        if (phase == Phase.ENDED) {
            return false;
        }
        phase = Phase.ENDED;
        cancelWakeUp();
        return true;
    }

    /** Ends it and withdraws what may be left on the server; false if it had ended before. */
    boolean endAndWithdraw() {
        boolean withdraw;
        Claim last;
        synchronized (this) {
            withdraw = footprint.any();
            last = footprint.claim();
            if (!end()) {
                return false;
            }
            if (footprint.inFlight()) {
                answerOwed = true;
                engine.queues.enter(queue.name);
            }
        }
        if (withdraw) {
            engine.withdrawals.withdraw(last);
        }
        return true;
    }

    private void cancelWakeUp() {
        if (wakeUp != null) {
            wakeUp.cancel();
            wakeUp = null;
        }
    }
}
