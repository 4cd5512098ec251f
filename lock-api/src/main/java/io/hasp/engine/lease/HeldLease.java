package io.hasp.engine.lease;

import io.hasp.engine.threads.LosslessExecutor;
import io.hasp.engine.threads.Nanos;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.Share;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lease and its grant: part of the state of a {@code LockMachine}, which alone changes it. Any thread may read the belief, a {@link
 * LeaseLife}.
 */
public final class HeldLease extends Timed {
    private static final Duration SHORTEST = Duration.ofMillis(1);

    public final Grant grant;

    public final LeaseTerms terms;

    private final EngineSettings settings;
    /** The moment when the use of the grant began here: the bound of local hand-offs counts from it. */
    private final long usedSince;

    /** The number of earlier leases on the grant. */
    private final int index;
    /** The number of hand-offs since the use of the grant began. */
    private final int handOffs;
    /** The moment from which max hold counts. */
    private final long heldSince;

    private final long begunAt;

    /**
     * The belief, a {@link LeaseLife} in parts: a confirmation writes two numbers into an old object, and no new one, which would cost the
     * garbage collector more than the renewal costs. The state is written last and read first, the cap the other way round. So a reader
     * beside a confirmation finds a belief that ends no later than the confirmed one.
     */
    private volatile LeaseLife.State state;

    private volatile String reason;
    private volatile long suspectAt;
    private volatile long deadline;
    private volatile long cap;
    /** The state of which observers were last notified, or which was there before them. */
    private LeaseLife.State noted;

    public final GrantRenewal renewal;
    /** The smaller lease that replaced this one. */
    private volatile @Nullable HeldLease lowered;

    /** True if the backend reports when other clients want the lock. */
    private boolean recallable;
    /** True once it has done so: this grant is not kept then. */
    private volatile boolean wanted;
    /** True if the grant outlived this lease. A release that finds nothing is then not reported as a loss. */
    private boolean kept;
    /** The time for which its release leaves the lock taken; null if it frees the lock. */
    private @Nullable Duration staying;
    /** The longest lease that was requested. */
    private Duration asked;

    private volatile @Nullable String foundLost;
    private volatile @Nullable LeaseObservers observers;
    private @Nullable Runnable whenEnded;
    /** Interrupts the work under the lease when it ends, and then runs a task. */
    private @Nullable Consumer<Runnable> stopWork;

    @Nullable
    public ReleaseCall releaseCall;

    private boolean releasing;

    private volatile boolean endedByClose;
    /** True if the closed client has left the lease to its work. */
    private boolean left;

    public boolean lossReported;
    /** True if the beginning was reported, and the end was not. */
    public boolean endAwaited;

    public boolean stopping;
    public boolean stopped;
    /** True if the holder gave it back after its end. */
    public boolean returned;
    /** The latest moment until which observers and work may hold up the release; zero if they do not. */
    public long notifyUntil;

    /** The object that the user has for this lease. */
    public volatile @Nullable Object handle;

    /** The first lease on a grant that was requested at {@code sentAt}. */
    public HeldLease(Grant grant, LeaseTerms terms, EngineSettings settings, long sentAt, long deadline, long now) {
        this(
                grant,
                terms,
                settings,
                now,
                0,
                0,
                now,
                now,
                LeaseLife.held(deadline, terms.cap(sentAt), Nanos.of(grant.validity())),
                firstRenewal(grant, settings, sentAt, deadline));
    }

    /** A grant with a much shorter validity than the requested lease leaves time for few renewals, so the first comes early. */
    private static GrantRenewal firstRenewal(Grant grant, EngineSettings settings, long sentAt, long deadline) {
        long validity = Nanos.of(grant.validity());
        boolean brief =
                !settings.sessions() && validity < Nanos.of(grant.claim().lease()) / 4;
        return new GrantRenewal(validity, deadline, sentAt + (brief ? validity / 12 : GrantRenewal.interval(validity)));
    }

    private HeldLease(
            Grant grant,
            LeaseTerms terms,
            EngineSettings settings,
            long usedSince,
            int index,
            int handOffs,
            long heldSince,
            long begunAt,
            LeaseLife life,
            GrantRenewal renewal) {
        this.grant = grant;
        this.terms = terms;
        this.settings = settings;
        this.asked = grant.claim().lease();
        this.usedSince = usedSince;
        this.index = index;
        this.handOffs = handOffs;
        this.heldSince = heldSince;
        this.begunAt = begunAt;
        this.cap = life.cap();
        this.deadline = life.deadline();
        this.suspectAt = life.suspectAt();
        this.reason = life.reason();
        this.state = life.state();
        this.noted = life.state();
        this.renewal = renewal;
    }

    /** The lease of the next local holder: same grant and deadline, next token. */
    public HeldLease successor(LeaseTerms next, long now) {
        return successor(next, usedSince, handOffs + 1, now);
    }

    /** The next lease after the grant was kept unused. */
    public HeldLease reused(LeaseTerms next, long now) {
        return successor(next, now, 0, now);
    }

    private HeldLease successor(LeaseTerms next, long since, int inARow, long now) {
        LeaseLife began = renewal.begins(next.cap(now));
        HeldLease successor =
                new HeldLease(grant, next, settings, since, index + 1, inARow, now, now, began, renewal.next());
        successor.recallable = recallable;
        successor.wanted = wanted;
        return successor;
    }

    /**
     * The same holder's lease of a smaller share, on the same grant and with all that is known of it. A reader that was a writer has the
     * next token, since stores distinguish the two; remaining permits keep theirs. A fixed lease does not grow.
     */
    public HeldLease loweredTo(Share less, long now) {
        Claim smaller = grant.claim().withShare(less);
        Grant kept = grant.withClaim(terms.renewed() ? smaller : smaller.withLease(SHORTEST));
        int next = less.capacity() == Share.READ_WRITE ? index + 1 : index;
        HeldLease smallerLease = new HeldLease(
                kept,
                terms.withShare(less),
                settings,
                usedSince,
                next,
                next,
                heldSince,
                now,
                life(),
                renewal.lowered(now));
        smallerLease.asked = asked;
        smallerLease.left = left;
        lowered = smallerLease;
        return smallerLease;
    }

    /** The present lease of its holder id: itself, unless a smaller one replaced it. */
    public HeldLease present() {
        HeldLease lease = this;
        for (HeldLease next = lowered; next != null; next = next.lowered) {
            lease = next;
        }
        return lease;
    }

    /** True if the grant may pass on within this client: confirmed, far from its deadline, within the bounds. */
    public boolean handOffAllowed(long now) {
        return handOffs < settings.handOffs() && now - usedSince < settings.handOffWithin() && undoubted(now);
    }

    /** True if the grant may be kept while no contender of this client waits. */
    public boolean keepAllowed(long now) {
        return recallable && !wanted && undoubted(now);
    }

    private boolean undoubted(long now) {
        return renewal.undoubted() && terms.passedOn() && mayHaveSuccessor(now);
    }

    /** True if there is a token for a successor, and most of the grant's time is left. */
    boolean mayHaveSuccessor(long now) {
        return index < FencingTokens.PER_GRANT - 1 && renewal.mostIsLeft(now);
    }

    /** The latest moment until which the grant may be kept unused. */
    public long keptUntil(long now) {
        return renewal.keptUntil(now, settings.keep());
    }

    public void keep() {
        kept = true;
    }

    public boolean kept() {
        return kept;
    }

    public void recallable() {
        recallable = true;
    }

    /** Notes that other clients want the lock: the grant is not kept, and the next renewal says so. False if that was known. */
    public boolean want(long now) {
        if (wanted) {
            return false;
        }
        wanted = true;
        if (grant.claim().keeps()) {
            renewal.lower(now);
        }
        return true;
    }

    /**
     * The grant that a renewal confirms. A lease that can last no longer is renewed up to its end: after a takeover the new server may know
     * the grant without its extension.
     */
    public Grant renewed(long now) {
        Claim claim = grant.claim();
        if (deadline == cap) {
            Duration rest = LeaseTerms.wholeMilliseconds(Duration.ofNanos(cap - now));
            claim = rest.compareTo(claim.lease()) > 0 ? claim.withLease(rest) : claim;
        }
        claim = wanted && claim.keeps() ? claim.withKeeps(false) : claim;
        return claim.equals(grant.claim()) ? grant : grant.withClaim(claim);
    }

    /** True if its share and the other one exceed the lock. */
    public boolean excludes(Share other) {
        Share share = terms.share();
        return other.weight() > share.capacity() - share.weight();
    }

    public long token() {
        return FencingTokens.of(grant.token(), index);
    }

    /** The belief after the last event; time may have passed since. */
    public LeaseLife life() {
        LeaseLife.State last = state;
        String why = reason;
        long doubtAt = suspectAt;
        long end = deadline;
        return new LeaseLife(last, end, cap, doubtAt, why);
    }

    /** The state after the last event; time may have passed since. */
    public LeaseLife.State state() {
        return state;
    }

    /** The deadline after the last event. */
    public long deadline() {
        return deadline;
    }

    /** True if it was HELD or SUSPECT after the last event. */
    public boolean alive() {
        return !LeaseLife.ended(state);
    }

    public LeaseLife.State advance(LeaseLife.Event event, long now) {
        if (event instanceof LeaseLife.Event.Confirmed confirmed && quiet(now)) {
            prolong(confirmed);
            return LeaseLife.State.HELD;
        }
        LeaseLife before = life();
        LeaseLife after = before.on(event, now);
        become(after);
        if (after.state() != before.state()) {
            noteState();
        }
        return before.state();
    }

    /** True if it is HELD, and the passing time changes nothing yet. */
    public boolean quiet(long now) {
        return state == LeaseLife.State.HELD && now < suspectAt && now < deadline;
    }

    /** The same as {@link LeaseLife#on} for a lease that is HELD, without an object for each renewal. */
    private void prolong(LeaseLife.Event.Confirmed confirmed) {
        long until = Math.min(Math.max(deadline, confirmed.deadline()), cap);
        long doubtAt = LeaseLife.suspectAt(until, cap, confirmed.validity());
        // The deadline last: until then, a reader finds a belief that ends no later.
        if (suspectAt != doubtAt) {
            suspectAt = doubtAt;
        }
        if (deadline != until) {
            deadline = until;
        }
    }

    /** Writes only what has changed. */
    private void become(LeaseLife after) {
        if (cap != after.cap()) {
            cap = after.cap();
        }
        if (deadline != after.deadline()) {
            deadline = after.deadline();
        }
        if (suspectAt != after.suspectAt()) {
            suspectAt = after.suspectAt();
        }
        if (!reason.equals(after.reason())) {
            reason = after.reason();
        }
        if (state != after.state()) {
            state = after.state();
        }
    }

    /** Notes the state for observers that have not received it yet. This needs memory. */
    public void noteState() {
        LeaseLife.State present = state;
        LeaseObservers all = observers;
        if (all != null && noted != present) {
            all.note(present);
        }
        noted = present;
    }

    public long heldFor(long now) {
        return now - begunAt;
    }

    /** The time for which it may still be held, whatever the server confirms; empty without a max hold. */
    public Optional<Duration> holdLeft(long now) {
        return terms.maxHold().map(most -> most.minusNanos(now - heldSince));
    }

    /** The latest possible end, whatever extensions follow. */
    public long longestCap() {
        return terms.maxHold().map(most -> heldSince + Nanos.of(most)).orElse(NEVER);
    }

    /** The remaining time for which the lock has to stay taken. It counts from the answer, which is later than the grant. */
    public long staysFor(long now) {
        return terms.takenAtLeast()
                .map(Nanos::of)
                .map(least -> heldSince + least + Nanos.drift(least) - now)
                .orElse(0L);
    }

    /** Makes the release leave the lock taken. */
    public void stay(long nanos) {
        staying = LeaseTerms.wholeMilliseconds(Duration.ofNanos(nanos));
    }

    /** The claim to release; its lease is the time for which the lock stays taken, if it does. */
    public Claim given() {
        Duration stays = staying;
        return stays == null ? grant.claim() : grant.claim().withLease(stays);
    }

    public boolean stays() {
        return staying != null;
    }

    public Duration longestAsked() {
        return asked;
    }

    /** Notes a lease that is about to be requested. */
    public void asks(Duration lease) {
        asked = asked.compareTo(lease) < 0 ? lease : asked;
    }

    /** Begins a renewal if it is due now or soon. */
    public boolean beginRenewal(long now) {
        return renewal.begin(now, renewable());
    }

    @Override
    public long early() {
        return terms.renewed() ? renewal.early() : 0;
    }

    /** The next moment at which time changes something. */
    public long nextMoment() {
        if (!alive()) {
            return notifyUntil > 0 ? notifyUntil : NEVER;
        }
        long moment = state == LeaseLife.State.HELD ? Math.min(suspectAt, deadline) : deadline;
        return Math.min(renewal.nextMoment(renewable()), moment);
    }

    private boolean renewable() {
        return LeaseLife.renewable(state, deadline, cap);
    }

    /** Notes the request of its release. */
    public void release(ReleaseCall call) {
        releaseCall = call;
        releasing = true;
    }

    /** Notes the answer to its release. Returns the number of requests that this ends. */
    public int releaseArrived() {
        int releases = releasing ? 1 : 0;
        releasing = false;
        return releases;
    }

    /** Ends the wait for observers. Returns the number of leases that this ends. */
    public int endNotifying() {
        int leases = notifyUntil > 0 ? 1 : 0;
        notifyUntil = 0;
        return leases;
    }

    /** The closed client leaves it to its work. */
    public void leave() {
        left = true;
        renewal.stop();
    }

    /** True if it was lost while its work may go on: its lock is free only at the end of the lease on the server. */
    public boolean lostToWork() {
        return left && state == LeaseLife.State.LOST;
    }

    public void endByClose() {
        endedByClose = true;
    }

    public boolean endedByClose() {
        return endedByClose && state == LeaseLife.State.RELEASED;
    }

    public void foundLost() {
        foundLost = "its release found that the server no longer had it";
    }

    /** The reason of its loss after the last event; null if it was not lost. */
    public @Nullable String loss() {
        return state == LeaseLife.State.LOST ? reason : foundLost;
    }

    /** True if observers, a task or work have to be notified of its end. */
    public boolean hasListeners() {
        return observers != null || whenEnded != null || stopWork != null;
    }

    public boolean observed() {
        return observers != null;
    }

    public void observe(Consumer<LeaseLife.State> observer) {
        LeaseObservers all = observers;
        all = all == null ? new LeaseObservers() : all;
        all.add(observer);
        observers = all;
    }

    /** Notifies the observers, and then runs the task, if there is one. */
    public void notifyObservers(@Nullable Runnable then) {
        LeaseObservers all = observers;
        if (all == null) {
            if (then != null) {
                then.run();
            }
            return;
        }
        if (then != null) {
            all.afterwards(then);
        }
        all.deliver();
    }

    public void whenEnded(Runnable task) {
        Runnable before = whenEnded;
        whenEnded = before == null
                ? task
                : () -> {
                    LosslessExecutor.contained(before);
                    task.run();
                };
    }

    /** The time between its end here and on the server, in which work has to stop. */
    public long margin() {
        return Nanos.drift(Nanos.of(grant.validity()));
    }

    public void stopWorkBy(Consumer<Runnable> stopper) {
        stopWork = stopper;
    }

    public boolean stopsWork() {
        return stopWork != null;
    }

    @Nullable
    public Consumer<Runnable> takeStopWork() {
        Consumer<Runnable> taken = stopWork;
        stopWork = null;
        return taken;
    }

    @Nullable
    public Runnable takeWhenEnded() {
        Runnable task = whenEnded;
        whenEnded = null;
        return task;
    }
}
