package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.lease.Timed;
import io.hasp.engine.threads.Nanos;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition in progress: part of a {@link LockMachine}'s state, changed by it alone. It attempts and rests in turn,
 * under one holder id after another, until it has its outcome.
 */
public final class Contender extends Timed {
    private static final long FIRST_BACK_OFF = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_BACK_OFF = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_BEFORE_END = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORTEST_BEFORE_END = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int MOST_GONE_IN_A_ROW = 3;

    enum Phase {
        /** It has not asked the server yet. */
        QUEUED,
        /** A request of it is unanswered. */
        ASKING,
        /** It waits for a signal, or for the time to ask again. */
        RESTING,
        /** Its caller left before its request was made. It asks no more, and its outcome follows. */
        LEFT,
        /** It has its outcome. A request of it may still be unanswered. */
        ENDED
    }

    /** What is known for a contender whose wait has ended. Only BUSY may be reported as contention. */
    enum Evidence {
        /** The lock was seen held by somebody else. */
        BUSY,
        /** There is no answer yet. */
        UNANSWERED,
        /** The latest attempt failed. */
        FAILED
    }

    /** Its outcome. */
    public final CompletableFuture<Outcome> result = new CompletableFuture<>();

    final LeaseTerms terms;
    public final RequestExecutor executor;
    final long joinedAt;
    /** In nanoseconds; zero for a single attempt. */
    final long wait;

    private final long end;
    private final long lookAt;
    private Phase phase = Phase.QUEUED;
    private Claim claim;
    private boolean everSent;
    /** How often the floor of tokens had been raised when its present holder id was first asked for. */
    private int floorsBefore;

    private boolean inFlight;
    /** How many requests it has made. */
    private int requests;

    private boolean leftBehind;
    private boolean seenBusy;
    private @Nullable BackendFailure lastFailure;
    /** The latest signal about the present holder id itself since it was asked for: the answer is newer than those before. */
    private @Nullable Signal news;
    /** Whether another attempt is worthwhile as soon as the present one is answered. */
    private boolean signalled;

    /** Whether the backend told, of the present holder id, that others want the lock. */
    private boolean wanted;
    /** The latest pause before it tried again, since the holder may only keep the lock; zero if there was none. */
    private long tryPause;

    private long tryUntil;

    private int goneInARow;
    private long backOff = FIRST_BACK_OFF;
    private long restUntil = NEVER;
    /** Whether it was reported that it waits, and not yet that it does so no longer. */
    boolean waitReported;
    /** Whether somebody sleeps until the outcome: before, the end of the wait needs no timer. */
    private boolean watched;
    /** Whether the server was asked once more before the end of the wait. */
    private boolean looked;
    /** The lease in whose place it asked, until that is answered. */
    private @Nullable HeldLease predecessor;
    /** How far the wall clock was ahead when it asked. */
    private long clockDifference;
    /** What this client had given up when it asked, and the server may still have had: a refusal may be due to that. */
    private List<Timed> behind = List.of();
    /** Whether there was any when it asked last. */
    private boolean askedBehind;
    /** When it was last refused. */
    private long refusedAt = Long.MIN_VALUE;

    public Contender(Claim claim, LeaseTerms terms, RequestExecutor executor, long joinedAt, long wait) {
        this.claim = claim;
        this.terms = terms;
        this.executor = executor;
        this.joinedAt = joinedAt;
        this.wait = wait;
        this.end = wait < Nanos.FOREVER ? joinedAt + wait : NEVER;
        long before = Math.min(wait / 2, LONGEST_BEFORE_END);
        this.lookAt = wait < Nanos.FOREVER && before >= SHORTEST_BEFORE_END ? end - before : NEVER;
    }

    /** What a contender asks of the server, under an id of its own. */
    public static Claim claim(LockName name, HolderId holder, LeaseTerms terms, long wait) {
        // The whole lease at once, if the lock has to outlive its process.
        Claim claim = terms.passedOn()
                ? Claim.renewedLease(name, holder, terms.lease(), wait > 0)
                : Claim.fixedLease(name, holder, terms.lease(), wait > 0);
        return terms.share().isExclusive() ? claim : claim.withShare(terms.share());
    }

    /** Whether a grant that was asked for by another caller is as good for this one as one of its own. */
    boolean takes(HeldLease lease) {
        return terms.passedOn()
                && terms.lease().equals(lease.grant.claim().lease())
                && terms.share().equals(lease.terms.share());
    }

    boolean waits() {
        return wait > 0;
    }

    /** What it asks for under an id that was never sent: to keep the grant, if it is one that can be kept. */
    public Claim claim(boolean keeps) {
        if (keeps && !everSent && terms.passedOn()) {
            claim = claim.withKeeps(true);
        }
        return claim;
    }

    /**
     * Whether a try is worth another one, because the holder may only keep the lock: the pause before it, twice as long each time;
     * zero if the time for that is over.
     */
    long nextTry(long now, long first, long within) {
        if (tryPause == 0) {
            tryPause = first;
            tryUntil = now + within;
        } else {
            tryPause *= 2;
        }
        return Math.max(0, Math.min(tryPause, tryUntil - now));
    }

    /** Whether it has no wait and is about to try again. */
    boolean triesAgain() {
        return tryPause > 0 && phase == Phase.RESTING;
    }

    public Claim claim() {
        return claim;
    }

    boolean is(Phase other) {
        return phase == other;
    }

    public boolean ended() {
        return phase == Phase.ENDED;
    }

    boolean inFlight() {
        return inFlight;
    }

    /** Whether the server may know the present holder id. */
    boolean everSent() {
        return everSent;
    }

    /** Whether the server may have granted what it asks for before the floor was raised, so with a token below it. */
    boolean askedBefore(int floorsRaised) {
        return everSent && floorsBefore != floorsRaised;
    }

    /** Whether the server may have something of the present holder id. */
    boolean mayBeOnServer() {
        return inFlight || leftBehind;
    }

    /** Whether a refusal is final: there is no time left to wait. */
    boolean isOver(long now) {
        return now >= end;
    }

    long end() {
        return end;
    }

    /**
     * Whether it is to know anew what this client has given up. After its wait it is not: others of this client may come and go for
     * ever, and each of them was a holder.
     */
    boolean looksBack(long now) {
        return !everSent || !isOver(now);
    }

    /** It asks behind those. */
    void behind(List<Timed> given) {
        behind = given;
    }

    /** Something is not on the server any more, or something else is to be released instead. Says whether it is still behind anything. */
    boolean settled(Timed given, @Nullable Timed instead) {
        if (behind.contains(given)) {
            List<Timed> rest = new ArrayList<>(behind);
            rest.remove(given);
            if (instead != null) {
                rest.add(instead);
            }
            behind = rest;
        }
        return !behind.isEmpty();
    }

    /** Whether it is behind that. */
    boolean isBehind(Timed given) {
        return behind.contains(given);
    }

    /** Whether a refusal may be due to what this client had given up itself. */
    boolean refusedByOwn() {
        return askedBehind && seenBusy && !inFlight;
    }

    /** Whether that is gone: another request tells who has the lock. */
    boolean asksAgain() {
        return refusedByOwn() && phase == Phase.RESTING && behind.isEmpty();
    }

    /** Whether it waits for that to go. */
    boolean restsBehind() {
        return refusedByOwn() && phase == Phase.RESTING && !behind.isEmpty();
    }

    boolean refusedAfter(OwedRelease owed) {
        return owed.askedBefore(refusedAt);
    }

    void ask(@Nullable HeldLease inPlaceOf, long wallClockAhead, int floorsRaised) {
        if (!everSent) {
            floorsBefore = floorsRaised;
        }
        askedBehind = !behind.isEmpty();
        phase = Phase.ASKING;
        predecessor = inPlaceOf;
        clockDifference = wallClockAhead;
        signalled = false;
        news = null;
        everSent = true;
        inFlight = true;
        requests++;
        restUntil = NEVER;
    }

    /** The number of its latest request. */
    public int request() {
        return requests;
    }

    int nextRequest() {
        return requests + 1;
    }

    /** Whether that request is under way. */
    boolean awaits(int request) {
        return inFlight && requests == request;
    }

    long clockDifference() {
        return clockDifference;
    }

    /** The request was never sent. Its place on the server, if it has one, is nobody else's: nothing says when to ask there again. */
    void dropped() {
        if (phase == Phase.ASKING) {
            phase = Phase.LEFT;
        }
    }

    /** The lease in whose place it asked; once. */
    @Nullable
    HeldLease takePredecessor() {
        HeldLease taken = predecessor;
        predecessor = null;
        return taken;
    }

    /** Its request is not under way any more: how many that makes. */
    int arrived() {
        int requests = inFlight ? 1 : 0;
        inFlight = false;
        return requests;
    }

    /** Notes what an answer tells. */
    void answered(@Nullable Attempt attempt, @Nullable BackendFailure failure, long now) {
        seenBusy = attempt instanceof Attempt.Busy;
        refusedAt = seenBusy ? now : refusedAt;
        if (failure != null) {
            lastFailure = failure;
            leftBehind |= failure.outcome() == BackendFailure.Outcome.UNKNOWN;
        } else if (seenBusy) {
            lastFailure = null;
            leftBehind = claim.queue();
            goneInARow = 0;
            backOff = FIRST_BACK_OFF;
        } else if (attempt instanceof Attempt.Granted) {
            leftBehind = true;
        }
    }

    void note(BackendFailure failure) {
        lastFailure = failure;
    }

    @Nullable
    BackendFailure lastFailure() {
        return lastFailure;
    }

    Evidence evidence() {
        if (inFlight) {
            return Evidence.UNANSWERED;
        }
        return lastFailure != null ? Evidence.FAILED : seenBusy && !askedBehind ? Evidence.BUSY : Evidence.UNANSWERED;
    }

    /** Nothing is left of the present holder id, or its release is owed. */
    void startOver(Claim fresh) {
        claim = fresh;
        everSent = false;
        leftBehind = false;
        news = null;
        wanted = false;
    }

    /**
     * It waits on the server under the other one's holder id from now on, with all that is known of that. What the other one was told
     * says nothing about the end of this wait.
     */
    void takePlaceOf(Contender other) {
        phase = other.phase;
        claim = other.claim;
        everSent = other.everSent;
        floorsBefore = other.floorsBefore;
        leftBehind = other.leftBehind;
        news = other.news;
        signalled = other.signalled;
        goneInARow = other.goneInARow;
        backOff = other.backOff;
        restUntil = other.restUntil;
        behind = other.behind;
        askedBehind = other.askedBehind;
    }

    /** Another one has its place on the server. */
    void leavePlace() {
        leftBehind = false;
    }

    /** Whether another try at once makes sense when the server takes no more of an id. */
    boolean tolerates() {
        return ++goneInARow <= MOST_GONE_IN_A_ROW;
    }

    /** How long to rest after a failure; longer each time. */
    long nextBackOff() {
        long pause = backOff;
        backOff = Math.min(backOff * 2, LONGEST_BACK_OFF);
        return pause;
    }

    long firstBackOff() {
        return FIRST_BACK_OFF;
    }

    /** Keeps news of the holder id; LOST is final. */
    void hear(Signal signal) {
        if (signal == Signal.WANTED) {
            wanted = true;
            signalled = true;
            return;
        }
        if (signal != Signal.MAYBE_FREE && news != Signal.LOST) {
            news = signal;
        }
        signalled |= signal != Signal.SUSPECT;
    }

    @Nullable
    Signal news() {
        return news;
    }

    boolean signalled() {
        return signalled;
    }

    boolean wanted() {
        return wanted;
    }

    void rest(long until) {
        phase = Phase.RESTING;
        restUntil = until;
    }

    boolean rested(long now) {
        return phase == Phase.RESTING && restUntil <= now;
    }

    void watch() {
        watched = true;
    }

    /** Whether the time for a last look has come; true once. */
    boolean looksNow(long now) {
        boolean looks = !looked && lookAt <= now;
        looked |= looks;
        return looks;
    }

    /** When time means something to it. */
    long nextMoment(long now) {
        if (ended()) {
            return NEVER;
        }
        long moment = phase == Phase.RESTING ? restUntil : NEVER;
        if (watched && !isOver(now)) {
            moment = Math.min(moment, looked || lookAt == NEVER ? end : lookAt);
        }
        return moment;
    }

    public void finish() {
        phase = Phase.ENDED;
        restUntil = NEVER;
    }
}
