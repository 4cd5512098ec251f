package io.hasp.engine.lease;

import io.hasp.engine.threads.Nanos;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Renewal;
import org.jspecify.annotations.Nullable;

/**
 * What the server has confirmed of the grant behind one lease, and when it is asked again: a part of the state of a {@link HeldLease}.
 * What is believed of the lease follows from the events that it returns.
 */
public final class GrantRenewal {
    /** Why a lease is in doubt that is renewed no more. */
    public static final String CLOSED = "its client is closed and renews it no more";

    private static final LeaseLife.Event PROLONGS_NOTHING = new LeaseLife.Event.Ticked();

    /** For how long the server granted it at first. */
    private final long granted;

    /** Until when the server has confirmed the grant, whatever the lease's own end is. */
    private long confirmedUntil;
    /**
     * How far the wall clock was ahead of the engine's before the request was made that {@link #confirmedUntil} counts from: if the
     * engine's stood still since then, that moment is too late.
     */
    private long clockDifference;
    /** The same of the renewal that is under way. */
    private long clockDifferenceNow;
    /** For how long the server grants it: the measure of how often and how early it is renewed. */
    private long validity;

    private long renewAt;
    private boolean underWay;
    /** How often the backend went away or was there again. */
    private volatile int interruptions;
    /** The same when that renewal was sent: if there was one since, the answer may be that of a former server. */
    private int interruptionsBefore;
    /** Since when the renewal is due that is not confirmed yet; NEVER if none is. */
    private long dueSince = Timed.NEVER;

    /** Whether the server may have a larger share than this, or let others recall it: it is asked, whatever the end of the lease. */
    private boolean lowering;
    /** Whether the renewal that is under way says so. */
    private boolean lowersNow;

    /** Whether it is renewed no more. */
    private boolean stopped;

    private @Nullable BackendFailure doubt;

    /** Of a grant that is confirmed until the deadline. */
    GrantRenewal(long granted, long deadline, long renewAt) {
        this.granted = granted;
        this.validity = granted;
        this.confirmedUntil = deadline;
        this.renewAt = renewAt;
    }

    private GrantRenewal(GrantRenewal before) {
        this(before.granted, before.confirmedUntil, before.renewAt);
        validity = before.validity;
    }

    /** The same for the next lease on the grant. */
    GrantRenewal next() {
        GrantRenewal next = new GrantRenewal(this);
        next.lowering = lowering;
        next.clockDifference = clockDifference;
        return next;
    }

    /** The same for a lease of a smaller share, which the server is about to be told. */
    GrantRenewal lowered(long now) {
        GrantRenewal lowered = new GrantRenewal(this);
        lowered.doubt = doubt;
        lowered.stopped = stopped;
        lowered.underWay = true;
        lowered.dueSince = now;
        lowered.lowering = true;
        lowered.lowersNow = true;
        lowered.interruptions = interruptions;
        lowered.interruptionsBefore = interruptions;
        return lowered;
    }

    /** It is renewed no more, and the answer to a renewal that is under way prolongs nothing. */
    void stop() {
        stopped = true;
    }

    /** The belief of a lease that begins on it now. */
    LeaseLife begins(long cap) {
        return LeaseLife.held(confirmedUntil, cap, validity);
    }

    /** Whether nothing that was heard or is under way speaks against it. */
    boolean undoubted() {
        return doubt == null && !underWay;
    }

    boolean mostIsLeft(long now) {
        return confirmedUntil - now > validity / 3;
    }

    /** A third of a lease is what others lose if this client dies meanwhile, and what it would need to be used again. */
    long keptUntil(long now, long most) {
        return Math.min(now + Math.min(most, validity / 3), confirmedUntil - validity / 3);
    }

    /** Its request was made when the wall clock was so far ahead. */
    public void grantedAt(long wallClockAhead) {
        clockDifference = wallClockAhead;
    }

    /** The same of the renewal that begins. */
    public void sentAt(long wallClockAhead) {
        clockDifferenceNow = wallClockAhead;
    }

    long clockDifference() {
        return clockDifference;
    }

    /** Whether the server is still to be told that its holder keeps a part only. */
    public boolean lowers() {
        return lowering;
    }

    /** The server is to be told at once that less is held. */
    void lower(long now) {
        lowering = true;
        renewAt = now;
    }

    /** Whatever is believed of the lease: one that is being released at this moment is not to be handed off. */
    public void doubt() {
        doubt = unconfirmed();
        interrupted();
    }

    /** The backend is there again. It is asked now, and once more if that is under way already; until then the lease is in doubt. */
    public void restored(long now) {
        renewAt = now;
        doubt = whyDoubted();
        interrupted();
    }

    private void interrupted() {
        int before = interruptions;
        interruptions = before + 1;
    }

    /** Why the lease is SUSPECT. */
    public BackendFailure whyDoubted() {
        return doubt != null ? doubt : unconfirmed();
    }

    private static BackendFailure unconfirmed() {
        return new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE,
                BackendFailure.Outcome.NOT_APPLIED,
                "the lease of this client can't be confirmed at present",
                null);
    }

    /** How often the backend went away or was there again: what was asked before says nothing about the server that is there now. */
    public int interruptions() {
        return interruptions;
    }

    /** The same when its latest renewal was sent. */
    public int interruptionsBefore() {
        return interruptionsBefore;
    }

    /** Whether it is to be renewed, now or within a twelfth of its validity; if so it is taken to be under way. */
    boolean begin(long now, boolean renewable) {
        if (underWay || stopped || renewAt > now + validity / 12 || !(renewable || lowering)) {
            return false;
        }
        underWay = true;
        interruptionsBefore = interruptions;
        lowersNow = lowering;
        dueSince = Math.min(dueSince, renewAt);
        return true;
    }

    /** When it is to be renewed; NEVER if that is under way, or changes nothing. */
    long nextMoment(boolean renewable) {
        return (renewable || lowering) && !underWay && !stopped ? renewAt : Timed.NEVER;
    }

    /** How long after it was due a renewal was confirmed; zero if it was early. To be asked once. */
    public long takeDelay(long now) {
        long delay = Math.max(0, now - dueSince);
        dueSince = Timed.NEVER;
        return delay;
    }

    /** What the answer to a renewal tells of the lease. */
    public LeaseLife.Event end(long sentAt, Renewal renewal, long now) {
        underWay = false;
        boolean outdated = interruptions != interruptionsBefore;
        if (renewal instanceof Renewal.Unknown unknown) {
            renewAt = outdated ? now : now + validity / 12;
            doubt = unknown.why();
            return new LeaseLife.Event.Doubted(String.valueOf(doubt.getMessage()));
        }
        if (renewal instanceof Renewal.Lost lost) {
            return new LeaseLife.Event.Denied(lost.why());
        }
        if (stopped) {
            return PROLONGS_NOTHING;
        }
        if (outdated) {
            renewAt = now;
            doubt = unconfirmed();
            return new LeaseLife.Event.Doubted("");
        }
        Renewal.Renewed renewed = (Renewal.Renewed) renewal;
        lowering &= !lowersNow;
        long more = Nanos.of(renewed.validity());
        validity = Math.max(more, granted);
        renewAt = lowering ? now : Math.max(sentAt + more / 3, now + validity / 12);
        doubt = null;
        return ownConfirmed(sentAt, renewed);
    }

    /** The answer to a renewal of the larger lease in whose place this one began. */
    public LeaseLife.Event confirmedBefore(long sentAt, Renewal.Renewed renewed) {
        return stopped ? PROLONGS_NOTHING : confirmed(sentAt, renewed);
    }

    /** The answer to the renewal of this lease. A deadline that does not move still counts from the request before. */
    private LeaseLife.Event ownConfirmed(long sentAt, Renewal.Renewed renewed) {
        long before = confirmedUntil;
        LeaseLife.Event event = confirmed(sentAt, renewed);
        clockDifference = confirmedUntil > before ? clockDifferenceNow : clockDifference;
        return event;
    }

    /** The holder has asked for longer, and the server has confirmed that. */
    public LeaseLife.Event extended(long sentAt, Renewal.Renewed renewed) {
        doubt = null;
        dueSince = underWay ? dueSince : Timed.NEVER;
        return confirmed(sentAt, renewed);
    }

    /** The server has confirmed the grant. */
    LeaseLife.Event confirmed(long sentAt, Renewal.Renewed renewed) {
        long more = Nanos.of(renewed.validity());
        confirmedUntil = Math.max(confirmedUntil, sentAt + more - Nanos.drift(more));
        return new LeaseLife.Event.Confirmed(confirmedUntil, more);
    }
}
