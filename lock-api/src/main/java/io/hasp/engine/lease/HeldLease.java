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
 * A lease and the grant it stands on: part of a {@code LockMachine}'s state, changed by it alone. What is believed of it is a
 * value that any thread may read.
 */
public final class HeldLease extends Timed {
    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** The grant behind it. */
    public final Grant grant;

    /** How it is held. */
    public final LeaseTerms terms;

    private final EngineSettings settings;
    /** Since when the grant is in use here: what the local holders may keep others waiting for counts from here. */
    private final long usedSince;

    /** How many leases stood on the grant before it. */
    private final int index;
    /** How many of them since the grant is in use. */
    private final int handOffs;
    /** What max hold counts from. */
    private final long heldSince;

    private final long begunAt;

    private volatile LeaseLife life;
    /** The state that its observers are told, or that was there before them. */
    private LeaseLife.State noted;
    /** What the server has confirmed of the grant, and when it is asked again. */
    public final GrantRenewal renewal;
    /** What began in the place of this one when its holder kept a part of its share. */
    private volatile @Nullable HeldLease lowered;

    /** Whether the backend tells when others want the lock. */
    private boolean recallable;
    /** Whether it has told so: this grant is not kept. */
    private volatile boolean wanted;
    /** Whether its grant was kept after it: what a release finds then is nobody's loss. */
    private boolean kept;
    /** For how long its release leaves the lock taken; null if not at all. */
    private @Nullable Duration staying;
    /** The longest that the server was asked for. */
    private Duration asked;

    private volatile @Nullable String foundLost;
    private volatile @Nullable LeaseObservers observers;
    private @Nullable Runnable whenEnded;
    /** Stops the work under the lease when it ends, and then runs a task. */
    private @Nullable Consumer<Runnable> stopWork;
    /** Who waits for the answer to its release. */
    @Nullable
    public ReleaseCall releaseCall;

    /** Whether its release is under way. */
    private boolean releasing;
    /** Since when. */
    private long releasedAt;

    private volatile boolean endedByClose;
    /** Whether its closed client has left it to its work. */
    private boolean left;
    /** Whether its loss was reported. */
    public boolean lossReported;
    /** Whether its holder was told of it, and its end was not reported. */
    public boolean endAwaited;
    /** Whether the work under it is being stopped at its end. */
    public boolean stopping;
    /** Whether it was stopped. */
    public boolean stopped;
    /** Whether its holder gave it back after its end. */
    public boolean returned;
    /** Until when its release may be held up by its observers and its work; zero if it is not. */
    public long toldBy;

    /** What the user of the lease has of it. */
    public volatile @Nullable Object handle;

    /** The first one of a grant whose request was sent at {@code sentAt}. */
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

    /** A grant that is good for much less than the lease asked for has time for few renewals, so the first has to come early. */
    private static GrantRenewal firstRenewal(Grant grant, EngineSettings settings, long sentAt, long deadline) {
        long validity = Nanos.of(grant.validity());
        boolean brief =
                !settings.sessions() && validity < Nanos.of(grant.claim().lease()) / 4;
        return new GrantRenewal(validity, deadline, sentAt + validity / (brief ? 12 : 3));
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
        this.life = life;
        this.noted = life.state();
        this.renewal = renewal;
    }

    /** The next local holder's one of the same server grant, with the next token and the same deadline. */
    public HeldLease successor(LeaseTerms next, long now) {
        return successor(next, usedSince, handOffs + 1, now);
    }

    /** The same after the grant was kept without a use. */
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
     * The same holder's lease of a smaller share: on the same grant, with all that is known of it. A reader that was a writer has the
     * next token, since stores tell the two apart; permits that are left keep theirs. A fixed lease does not grow by it.
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
                life,
                renewal.lowered(now));
        smallerLease.asked = asked;
        smallerLease.left = left;
        lowered = smallerLease;
        return smallerLease;
    }

    /** The present lease of its holder id: itself, unless its holder kept a part of its share. */
    public HeldLease present() {
        HeldLease lease = this;
        for (HeldLease next = lowered; next != null; next = next.lowered) {
            lease = next;
        }
        return lease;
    }

    /** Whether the grant may stay with this client: confirmed, far from its deadline, and within the bounds. */
    public boolean handOffAllowed(long now) {
        return handOffs < settings.handOffs() && now - usedSince < settings.handOffWithin() && undoubted(now);
    }

    /** The same for a grant that nobody of this client waits for. */
    public boolean keepAllowed(long now) {
        return recallable && !wanted && undoubted(now);
    }

    private boolean undoubted(long now) {
        return renewal.undoubted() && terms.passedOn() && mayHaveSuccessor(now);
    }

    /** Whether there is a token for it, and most of the grant's time is left. */
    boolean mayHaveSuccessor(long now) {
        return index < FencingTokens.PER_GRANT - 1 && renewal.mostIsLeft(now);
    }

    /** Until when it may be kept without a use. */
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

    /** Others want the lock: its grant is not kept, and the server is to know that. False if it was known. */
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
     * What a renewal confirms. One that can last no longer is asked for up to its end: a server that has taken over may know the grant,
     * and not its extension.
     */
    public Grant renewed(long now) {
        Claim claim = grant.claim();
        LeaseLife present = life;
        if (present.deadline() == present.cap()) {
            Duration rest = LeaseTerms.wholeMilliseconds(Duration.ofNanos(present.cap() - now));
            claim = rest.compareTo(claim.lease()) > 0 ? claim.withLease(rest) : claim;
        }
        claim = wanted && claim.keeps() ? claim.withKeeps(false) : claim;
        return claim.equals(grant.claim()) ? grant : grant.withClaim(claim);
    }

    /** Whether its share and the other one are more than the whole lock. */
    public boolean excludes(Share other) {
        Share share = terms.share();
        return other.weight() > share.capacity() - share.weight();
    }

    /** Its fencing token. */
    public long token() {
        return FencingTokens.of(grant.token(), index);
    }

    /** What was believed at the last event; time may have passed since. */
    public LeaseLife life() {
        return life;
    }

    /** Whether it was HELD or SUSPECT at the last event. */
    public boolean alive() {
        return !life.ended();
    }

    public LeaseLife.State advance(LeaseLife.Event event, long now) {
        LeaseLife.State before = life.state();
        LeaseLife after = life.on(event, now);
        life = after;
        if (after.state() != before) {
            noteState();
        }
        return before;
    }

    /** Its observers are to be told of its state, if they are not yet: that needs memory. */
    public void noteState() {
        LeaseLife.State present = life.state();
        LeaseObservers all = observers;
        if (all != null && noted != present) {
            all.note(present);
        }
        noted = present;
    }

    public long heldFor(long now) {
        return now - begunAt;
    }

    /** How long it may still be held, whatever is confirmed; empty without a max hold. */
    public Optional<Duration> holdLeft(long now) {
        return terms.maxHold().map(most -> most.minusNanos(now - heldSince));
    }

    /** When it has to end, whatever it is extended by. */
    public long longestCap() {
        return terms.maxHold().map(most -> heldSince + Nanos.of(most)).orElse(NEVER);
    }

    /** For how long the lock has to stay taken, from now on: counted from the answer, which is later than the grant. */
    public long staysFor(long now) {
        return terms.takenAtLeast()
                .map(Nanos::of)
                .map(least -> heldSince + least + Nanos.drift(least) - now)
                .orElse(0L);
    }

    /** Its release leaves the lock taken. */
    public void stay(long nanos) {
        staying = LeaseTerms.wholeMilliseconds(Duration.ofNanos(nanos));
    }

    /** What is to be released; with a lease for which the lock stays taken, if it does. */
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

    /** The server is going to be asked for that. */
    public void asks(Duration lease) {
        asked = asked.compareTo(lease) < 0 ? lease : asked;
    }

    /** Whether it is to be renewed, now or soon; if so that is taken to be under way. */
    public boolean beginRenewal(long now) {
        return renewal.begin(now, life.renewable());
    }

    @Override
    public boolean mayComeEarly() {
        return terms.renewed();
    }

    /** When time means something to it. */
    public long nextMoment() {
        LeaseLife now = life;
        if (now.ended()) {
            return toldBy > 0 ? toldBy : NEVER;
        }
        long moment = now.state() == LeaseLife.State.HELD ? Math.min(now.suspectAt(), now.deadline()) : now.deadline();
        return Math.min(renewal.nextMoment(now.renewable()), moment);
    }

    /** Its release is under way. */
    public void release(ReleaseCall call, long now) {
        releaseCall = call;
        releasing = true;
        releasedAt = now;
    }

    /** When its holder gave it back. */
    public long releasedAt() {
        return releasedAt;
    }

    /** Its release is not under way any more: how many that makes. */
    public int releaseArrived() {
        int releases = releasing ? 1 : 0;
        releasing = false;
        return releases;
    }

    /** Its observers are not waited for any more: for how many leases that makes. */
    public int endTelling() {
        int leases = toldBy > 0 ? 1 : 0;
        toldBy = 0;
        return leases;
    }

    /** Its closed client leaves it to its work. */
    public void leave() {
        left = true;
        renewal.stop();
    }

    /** Whether it was lost while its work may go on: its lock is not free before its lease on the server ends. */
    public boolean lostToWork() {
        return left && life.state() == LeaseLife.State.LOST;
    }

    public void endByClose() {
        endedByClose = true;
    }

    public boolean endedByClose() {
        return endedByClose && life.state() == LeaseLife.State.RELEASED;
    }

    public void foundLost() {
        foundLost = "its release found that the server no longer had it";
    }

    /** Why it was lost, as far as is known at the last event; null if it was not. */
    public @Nullable String loss() {
        LeaseLife now = life;
        return now.state() == LeaseLife.State.LOST ? now.reason() : foundLost;
    }

    /** Whether anybody is to be told of its end. */
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

    /** Tells them, and then runs the task, if there is one. */
    public void tellObservers(@Nullable Runnable then) {
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
        all.tell();
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

    /** The time between its end here and on the server, which work has to stop. */
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
