package io.hasp.engine;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lease and the grant it stands on: part of a {@link LockMachine}'s state, changed by it alone. What is believed of it is a
 * value that any thread may read.
 */
public final class HeldLease extends Timed {
    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** The grant behind it. */
    final Grant grant;

    /** How it is held. */
    public final LeaseTerms terms;

    private final EngineSettings settings;
    /** Since when the grant is with this client: what its local holders may keep others waiting for counts from here. */
    private final long grantedAt;

    private final int handOffs;
    /** What max hold counts from. */
    private final long heldSince;

    private final long begunAt;

    private volatile LeaseLife life;
    /** Until when the server has confirmed the grant, whatever this lease's own end is. */
    private long confirmedUntil;
    /** For how long the server grants it: the measure of how often and how early it is renewed. */
    private long validity;

    private long renewAt;
    private boolean renewing;
    /** What began in the place of this one when its holder kept a part of its share. */
    private volatile @Nullable HeldLease lowered;

    /** Whether the server may have a larger share than this: it is asked, whatever the end of the lease. */
    private boolean lowering;
    /** The longest that the server was asked for. */
    private Duration asked;

    private @Nullable BackendFailure doubt;
    private volatile @Nullable String foundLost;
    private volatile @Nullable LeaseObservers observers;
    private @Nullable Runnable whenEnded;
    /** Who waits for the answer to its release. */
    @Nullable
    ReleaseCall releaseCall;

    /** Whether its release is under way. */
    private boolean releasing;

    private volatile boolean endedByClose;
    /** Whether its loss was reported. */
    boolean lossReported;
    /** Until when its release may be held up by its observers; zero if it is not. */
    long toldBy;

    /** What the user of the lease has of it. */
    public volatile @Nullable Object handle;

    /** The first one of a grant whose request was sent at {@code sentAt}. */
    HeldLease(Grant grant, LeaseTerms terms, EngineSettings settings, long sentAt, long deadline, long now) {
        this(
                grant,
                terms,
                settings,
                now,
                0,
                now,
                now,
                LeaseLife.held(deadline, terms.cap(sentAt), Nanos.of(grant.validity())));
        this.confirmedUntil = deadline;
        this.validity = Nanos.of(grant.validity());
        this.renewAt = sentAt + validity / (brief() ? 12 : 3);
    }

    private HeldLease(
            Grant grant,
            LeaseTerms terms,
            EngineSettings settings,
            long grantedAt,
            int handOffs,
            long heldSince,
            long begunAt,
            LeaseLife life) {
        this.grant = grant;
        this.terms = terms;
        this.settings = settings;
        this.asked = grant.claim().lease();
        this.grantedAt = grantedAt;
        this.handOffs = handOffs;
        this.heldSince = heldSince;
        this.begunAt = begunAt;
        this.life = life;
    }

    /** One that is good for much less than the lease asked for has time for few renewals, so the first has to come early. */
    private boolean brief() {
        return !settings.sessions() && validity < Nanos.of(grant.claim().lease()) / 4;
    }

    /** The next local holder's one of the same server grant, with the next token and the same deadline. */
    HeldLease successor(LeaseTerms next, long now) {
        LeaseLife began = LeaseLife.held(confirmedUntil, next.cap(now), validity);
        HeldLease successor = new HeldLease(grant, next, settings, grantedAt, handOffs + 1, now, now, began);
        successor.confirmedUntil = confirmedUntil;
        successor.validity = validity;
        successor.renewAt = renewAt;
        return successor;
    }

    /**
     * The same holder's lease of a smaller share: on the same grant, with all that is known of it. A reader that was a writer has the
     * next token, since stores tell the two apart; permits that are left keep theirs. A fixed lease does not grow by it.
     */
    HeldLease loweredTo(Share less, long now) {
        Claim smaller = grant.claim().withShare(less);
        Grant kept = grant.withClaim(terms.renewed() ? smaller : smaller.withLease(SHORTEST));
        int index = less.capacity() == Share.READ_WRITE ? handOffs + 1 : handOffs;
        HeldLease smallerLease =
                new HeldLease(kept, terms.withShare(less), settings, grantedAt, index, heldSince, now, life);
        smallerLease.confirmedUntil = confirmedUntil;
        smallerLease.validity = validity;
        smallerLease.asked = asked;
        smallerLease.doubt = doubt;
        smallerLease.renewing = true;
        smallerLease.lowering = true;
        lowered = smallerLease;
        return smallerLease;
    }

    /** The present lease of its holder id: itself, unless its holder kept a part of its share. */
    HeldLease present() {
        HeldLease lease = this;
        for (HeldLease next = lowered; next != null; next = next.lowered) {
            lease = next;
        }
        return lease;
    }

    /** Whether the grant may stay with this client: confirmed, far from its deadline, and within the bounds. */
    boolean handOffAllowed(long now) {
        return handOffs < settings.handOffs()
                && now - grantedAt < settings.handOffWithin()
                && doubt == null
                && !renewing
                && terms.renewed()
                && confirmedUntil - now > validity / 3;
    }

    /** Whether its share and the other one are more than the whole lock. */
    boolean excludes(Share other) {
        Share share = terms.share();
        return other.weight() > share.capacity() - share.weight();
    }

    /** Its fencing token. */
    public long token() {
        return FencingTokens.of(grant.token(), handOffs);
    }

    /** What was believed at the last event; time may have passed since. */
    public LeaseLife life() {
        return life;
    }

    /** Whether it was HELD or SUSPECT at the last event. */
    public boolean alive() {
        return !life.ended();
    }

    LeaseLife.State advance(LeaseLife.Event event, long now) {
        LeaseLife.State before = life.state();
        LeaseLife after = life.on(event, now);
        life = after;
        LeaseObservers all = observers;
        if (all != null && after.state() != before) {
            all.note(after.state());
        }
        return before;
    }

    long heldFor(long now) {
        return now - begunAt;
    }

    /** How long it may still be held, whatever is confirmed; empty without a max hold. */
    public Optional<Duration> holdLeft(long now) {
        return terms.maxHold().map(most -> most.minusNanos(now - heldSince));
    }

    /** When it has to end, whatever it is extended by. */
    long longestCap() {
        return terms.maxHold().map(most -> heldSince + Nanos.of(most)).orElse(NEVER);
    }

    Duration longestAsked() {
        return asked;
    }

    /** The server is going to be asked for that. */
    void asks(Duration lease) {
        asked = asked.compareTo(lease) < 0 ? lease : asked;
    }

    /** Whatever the state: a lease that is being released at this moment is not to be handed off. */
    void doubt() {
        doubt = unconfirmed();
    }

    /** Why it is SUSPECT. */
    BackendFailure whyDoubted() {
        return doubt != null ? doubt : unconfirmed();
    }

    private static BackendFailure unconfirmed() {
        return new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE,
                BackendFailure.Outcome.NOT_APPLIED,
                "the lease of this client can't be confirmed at present",
                null);
    }

    void renewAt(long moment) {
        renewAt = moment;
    }

    /** Whether it wants renewal, now or within a twelfth of its validity; if so it is taken to be under way. */
    boolean beginRenewal(long now) {
        if (renewing || renewAt > now + validity / 12 || !(life.renewable() || lowering)) {
            return false;
        }
        renewing = true;
        return true;
    }

    /** What the answer to a renewal tells of its life. */
    LeaseLife.Event endRenewal(long sentAt, Renewal renewal, long now) {
        renewing = false;
        if (renewal instanceof Renewal.Renewed renewed) {
            lowering = false;
            long more = Nanos.of(renewed.validity());
            validity = Math.max(more, Nanos.of(grant.validity()));
            renewAt = Math.max(sentAt + more / 3, now + validity / 12);
            doubt = null;
            return confirmed(sentAt, renewed);
        }
        if (renewal instanceof Renewal.Unknown unknown) {
            renewAt = now + validity / 12;
            doubt = unknown.why();
            return new LeaseLife.Event.Doubted(String.valueOf(doubt.getMessage()));
        }
        return new LeaseLife.Event.Denied(((Renewal.Lost) renewal).why());
    }

    /** The server has confirmed the grant. */
    LeaseLife.Event confirmed(long sentAt, Renewal.Renewed renewed) {
        long more = Nanos.of(renewed.validity());
        confirmedUntil = Math.max(confirmedUntil, sentAt + more - Nanos.drift(more));
        return new LeaseLife.Event.Confirmed(confirmedUntil, more);
    }

    /** When time means something to it. */
    long nextMoment() {
        LeaseLife now = life;
        if (now.ended()) {
            return toldBy > 0 ? toldBy : NEVER;
        }
        long moment = now.state() == LeaseLife.State.HELD ? Math.min(now.suspectAt(), now.deadline()) : now.deadline();
        return (now.renewable() || lowering) && !renewing ? Math.min(renewAt, moment) : moment;
    }

    /** Its release is under way. */
    void release(ReleaseCall call) {
        releaseCall = call;
        releasing = true;
    }

    /** Its release is not under way any more: how many that makes. */
    int releaseArrived() {
        int releases = releasing ? 1 : 0;
        releasing = false;
        return releases;
    }

    /** Its observers are not waited for any more: for how many leases that makes. */
    int endTelling() {
        int leases = toldBy > 0 ? 1 : 0;
        toldBy = 0;
        return leases;
    }

    void endByClose() {
        endedByClose = true;
    }

    boolean endedByClose() {
        return endedByClose && life.state() == LeaseLife.State.RELEASED;
    }

    void foundLost() {
        foundLost = "its release found that the server no longer had it";
    }

    /** Why it was lost, as far as is known at the last event; null if it was not. */
    public @Nullable String loss() {
        LeaseLife now = life;
        return now.state() == LeaseLife.State.LOST ? now.reason() : foundLost;
    }

    /** Whether anybody is to be told of its end. */
    boolean hasListeners() {
        return observers != null || whenEnded != null;
    }

    boolean observed() {
        return observers != null;
    }

    void observe(Consumer<LeaseLife.State> observer) {
        LeaseObservers all = observers;
        all = all == null ? new LeaseObservers() : all;
        all.add(observer);
        observers = all;
    }

    /** Tells them, and then runs the task, if there is one. */
    void tellObservers(@Nullable Runnable then) {
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

    void whenEnded(Runnable task) {
        whenEnded = task;
    }

    @Nullable
    Runnable takeWhenEnded() {
        Runnable task = whenEnded;
        whenEnded = null;
        return task;
    }
}
