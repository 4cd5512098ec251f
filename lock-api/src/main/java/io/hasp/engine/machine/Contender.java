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
 * One acquisition in progress: part of a {@link LockMachine}'s state, which alone changes it. It asks and rests in turn, under one holder
 * id after another, until it has its outcome.
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
        /** It has its outcome. A request may still be unanswered. */
        ENDED
    }

    /** The knowledge about a lock when a wait has ended. Only BUSY may be reported as contention. */
    enum Evidence {
        /** The lock was seen in use. */
        BUSY,
        /** There is no answer yet. */
        UNANSWERED,
        /** The latest attempt failed. */
        FAILED
    }

    public final CompletableFuture<Outcome> result = new CompletableFuture<>();

    final LeaseTerms terms;
    public final RequestExecutor executor;
    final long joinedAt;
    /** In nanoseconds; zero for a single attempt. */
    final long wait;

    /** True if a refusal is the business of a larger acquisition, which reports its own outcome. */
    private boolean partOfMore;

    private final long end;
    private final long lookAt;
    private Phase phase = Phase.QUEUED;
    private Claim claim;
    private boolean everSent;
    /** The number of raised floors when the present holder id was first requested. */
    private int floorsBefore;

    private boolean inFlight;
    private int requests;

    private boolean leftBehind;
    private boolean seenBusy;
    private @Nullable BackendFailure lastFailure;
    /** The latest signal about the present holder id since its request: the answer is newer than earlier signals. */
    private @Nullable Signal news;
    /** True if another attempt is worthwhile right after the answer to the present one. */
    private boolean signalled;

    /** True if the backend has recalled the present holder id. */
    private boolean wanted;
    /** The latest pause between tries while the holder may only keep the lock; zero if there was none. */
    private long tryPause;

    private long tryUntil;

    private int goneInARow;
    private long backOff = FIRST_BACK_OFF;
    private long restUntil = NEVER;
    /** True if its wait was reported, and the end of the wait was not. */
    boolean waitReported;
    /** True if a caller sleeps until the outcome. Before, the end of the wait needs no timer. */
    private boolean watched;
    /** True once the server was asked before the end of the wait. */
    private boolean looked;
    /** The lease that its unanswered request gives back. */
    private @Nullable HeldLease predecessor;
    /** The lead of the wall clock when it asked. */
    private long clockDifference;
    /** Everything that this client had given up and the server may still have had at its request: a refusal may be due to that. */
    private List<Timed> behind = List.of();

    private boolean askedBehind;
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

    /** Makes it a part of a larger acquisition. Call it before it joins. */
    public void partOfMore() {
        partOfMore = true;
    }

    boolean reportsRefusal() {
        return !partOfMore;
    }

    /** The claim of a contender, under an id of its own. */
    public static Claim claim(LockName name, HolderId holder, LeaseTerms terms, long wait) {
        // The whole lease at once, if the lock has to outlive its process.
        Claim claim = terms.passedOn()
                ? Claim.renewedLease(name, holder, terms.lease(), wait > 0, terms.label())
                : Claim.fixedLease(name, holder, terms.lease(), wait > 0, terms.label());
        return terms.share().isExclusive() ? claim : claim.withShare(terms.share());
    }

    /** True if another caller's grant is as good for this contender as a grant of its own. */
    boolean takes(HeldLease lease) {
        return terms.passedOn()
                && terms.lease().equals(lease.grant.claim().lease())
                && terms.label().equals(lease.grant.claim().label())
                && terms.share().equals(lease.terms.share());
    }

    boolean waits() {
        return wait > 0;
    }

    /** Its claim; under an id that was never sent it asks to keep the grant, if such a grant can be kept. */
    public Claim claim(boolean keeps) {
        if (keeps && !everSent && terms.passedOn()) {
            claim = claim.withKeeps(true);
        }
        return claim;
    }

    /** The pause before another try while the holder may only keep the lock, twice as long each time; zero if the time for that is over. */
    long nextTry(long now, long first, long within) {
        if (tryPause == 0) {
            tryPause = first;
            tryUntil = now + within;
        } else {
            tryPause *= 2;
        }
        return Math.max(0, Math.min(tryPause, tryUntil - now));
    }

    /** True if it has no wait and is about to try again. */
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

    boolean everSent() {
        return everSent;
    }

    /** True if the server may have granted its claim before the floor was raised, so with a token below it. */
    boolean askedBefore(int floorsRaised) {
        return everSent && floorsBefore != floorsRaised;
    }

    /** True if the server may have something of the present holder id. */
    boolean mayBeOnServer() {
        return inFlight || leftBehind;
    }

    /** True if a refusal is final, because no time is left to wait. */
    boolean isOver(long now) {
        return now >= end;
    }

    long end() {
        return end;
    }

    /**
     * True if it notes again what this client has given up. After its wait it does not: other callers of this client may come and go
     * without end, and each of them was a holder.
     */
    boolean looksBack(long now) {
        return !everSent || !isOver(now);
    }

    void behind(List<Timed> given) {
        behind = given;
    }

    /**
     * Notes that something is gone from the server, or replaced by another pending release. True if the contender is still behind anything.
     */
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

    boolean isBehind(Timed given) {
        return behind.contains(given);
    }

    /** True if the latest refusal may be due to something that this client had given up. */
    boolean refusedByOwn() {
        return askedBehind && seenBusy && !inFlight;
    }

    /** True if that is gone, so that another request shows the holder of the lock. */
    boolean asksAgain() {
        return refusedByOwn() && phase == Phase.RESTING && behind.isEmpty();
    }

    /** True if it waits until that is gone. */
    boolean restsBehind() {
        return refusedByOwn() && phase == Phase.RESTING && !behind.isEmpty();
    }

    boolean refusedAfter(long moment) {
        return moment < refusedAt;
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

    /** True if that request is unanswered. */
    boolean awaits(int request) {
        return inFlight && requests == request;
    }

    long clockDifference() {
        return clockDifference;
    }

    /**
     * Notes that its request was not sent. Its place on the server, if it has one, passes to no other contender: no signal says when to ask
     * there again.
     */
    void dropped() {
        if (phase == Phase.ASKING) {
            phase = Phase.LEFT;
        }
    }

    /** The lease that its request gave back; once. */
    @Nullable
    HeldLease takePredecessor() {
        HeldLease taken = predecessor;
        predecessor = null;
        return taken;
    }

    /** Notes the arrival of an answer. Returns the number of requests that this ends. */
    int arrived() {
        int requests = inFlight ? 1 : 0;
        inFlight = false;
        return requests;
    }

    /** Takes an answer. */
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

    /** Begins again under a new holder id. Nothing is left of the present one, or its release is pending. */
    void startOver(Claim fresh) {
        claim = fresh;
        everSent = false;
        leftBehind = false;
        news = null;
        wanted = false;
    }

    /**
     * Takes the place of another contender on the server, under its holder id and with all that is known of it. The other one's answers say
     * nothing about the end of this wait.
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

    /** Another contender has its place on the server. */
    void leavePlace() {
        leftBehind = false;
    }

    /** True if another try at once makes sense after the server has rejected an id. */
    boolean tolerates() {
        return ++goneInARow <= MOST_GONE_IN_A_ROW;
    }

    /** The pause after a failure; longer each time. */
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

    /** True once, when the time for a last look has come. */
    boolean looksNow(long now) {
        boolean looks = !looked && lookAt <= now;
        looked |= looks;
        return looks;
    }

    /** The next moment at which time changes something. */
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
