package io.hasp.engine.lease;

import io.hasp.engine.threads.Nanos;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Renewal;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The renewal of the grant behind one lease: the confirmed time, and the next request. Part of the state of a {@link HeldLease}, whose
 * belief follows from the events that this class returns.
 */
public final class GrantRenewal {
    /** The reason of doubt for a lease that is not renewed any more. */
    public static final String CLOSED = "its client is closed and renews it no more";

    /** A shorter validity is renewed earlier. */
    private static final long LONG_VALIDITY = TimeUnit.SECONDS.toNanos(6);

    private static final LeaseLife.Event PROLONGS_NOTHING = new LeaseLife.Event.Ticked();

    /** The validity of the first answer. */
    private final long granted;

    /** The end of the confirmed time of the grant, whatever the end of the lease is. */
    private long confirmedUntil;
    /**
     * The lead of the wall clock over the engine's before the request from which {@link #confirmedUntil} counts. If the engine's clock
     * stood still since then, that moment is too late.
     */
    private long clockDifference;
    /** The same for the unanswered renewal. */
    private long clockDifferenceNow;
    /** The validity that the server grants: renewals are as frequent and as early as it demands. */
    private long validity;

    private long renewAt;
    private boolean underWay;
    /** The number of disconnects and reconnects of the backend. */
    private volatile int interruptions;
    /** The same number when that renewal was sent. If it has grown since, the reply may come from the old server. */
    private int interruptionsBefore;
    /** The moment when the unconfirmed renewal was due; NEVER if there is none. */
    private long dueSince = Timed.NEVER;

    /**
     * True if the server may have a larger share than this, or let others recall it: a request is due then, whatever the end of the lease.
     */
    private boolean lowering;

    private boolean lowersNow;

    private boolean stopped;

    private @Nullable BackendFailure doubt;

    /** The renewal of a grant that is confirmed until the deadline. */
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

    /**
     * The time between a confirmation and the next renewal: half of the validity, or a third below 6 s. So a renewal without an answer
     * is repeated before the deadline, if the backend waits for the answer for up to 2 s, or up to two fifths of the validity. A failed
     * renewal is repeated after a twelfth of the validity.
     */
    static long interval(long validity) {
        return validity / (validity < LONG_VALIDITY ? 3 : 2);
    }

    /** The renewal of the next lease on the grant. */
    GrantRenewal next() {
        GrantRenewal next = new GrantRenewal(this);
        next.lowering = lowering;
        next.clockDifference = clockDifference;
        return next;
    }

    /** The renewal of a lease of a smaller share, which the next request confirms. */
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

    /** Ends the renewals: the answer to an unanswered one prolongs nothing. */
    void stop() {
        stopped = true;
    }

    /** The belief about a lease that begins on the grant now. */
    LeaseLife begins(long cap) {
        return LeaseLife.held(confirmedUntil, cap, validity);
    }

    /** True if no news and no unanswered renewal speaks against the grant. */
    boolean undoubted() {
        return doubt == null && !underWay;
    }

    boolean mostIsLeft(long now) {
        return confirmedUntil - now > validity / 3;
    }

    /** Other clients lose at most a third of a lease if this client dies, and a reuse needs as much. */
    long keptUntil(long now, long most) {
        return Math.min(now + Math.min(most, validity / 3), confirmedUntil - validity / 3);
    }

    /** Notes the lead of the wall clock when the grant was requested. */
    public void grantedAt(long wallClockAhead) {
        clockDifference = wallClockAhead;
    }

    /** Notes the lead of the wall clock when the present renewal begins. */
    public void sentAt(long wallClockAhead) {
        clockDifferenceNow = wallClockAhead;
    }

    long clockDifference() {
        return clockDifference;
    }

    /** True if the server has not confirmed yet that less is held. */
    public boolean lowers() {
        return lowering;
    }

    /** Requests a renewal at once, because less is held. */
    void lower(long now) {
        lowering = true;
        renewAt = now;
    }

    /** Requests the renewal again at once that lowers the share. False if it is under way, or there is none. */
    public boolean lowersAgain(long now) {
        boolean again = lowering && !underWay;
        renewAt = again ? now : renewAt;
        return again;
    }

    /** Doubts the grant, whatever the belief about the lease is: a lease that is being released is not handed off. */
    public void doubt() {
        doubt = unconfirmed();
        interrupted();
    }

    /** Requests a renewal at once after a reconnect, and once more if one is unanswered. Until then the lease is in doubt. */
    public void restored(long now) {
        renewAt = now;
        doubt = whyDoubted();
        interrupted();
    }

    private void interrupted() {
        int before = interruptions;
        interruptions = before + 1;
    }

    /** The reason of the doubt. */
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

    /** The number of disconnects and reconnects of the backend. A reply to an earlier request says nothing about the present server. */
    public int interruptions() {
        return interruptions;
    }

    /** The same number when the latest renewal was sent. */
    public int interruptionsBefore() {
        return interruptionsBefore;
    }

    /** The time by which a renewal may begin early. A thread beside the machine may see the value of a moment ago. */
    long early() {
        return underWay ? 0 : validity / 12;
    }

    /** Begins a renewal if it is due now or within a twelfth of the validity. False if it is not due. */
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

    /** The moment of the next renewal; NEVER if one is unanswered, or would change nothing. */
    long nextMoment(boolean renewable) {
        return (renewable || lowering) && !underWay && !stopped ? renewAt : Timed.NEVER;
    }

    /** The delay of the confirmed renewal; zero if it was early. Call it once per renewal. */
    public long takeDelay(long now) {
        long delay = Math.max(0, now - dueSince);
        dueSince = Timed.NEVER;
        return delay;
    }

    /** Ends a renewal. The result is an event for the lease. */
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
        renewAt = lowering ? now : Math.max(sentAt + interval(more), now + validity / 12);
        doubt = null;
        return ownConfirmed(sentAt, renewed);
    }

    /** True if a confirmation moves the confirmed time on, and means nothing else. */
    public boolean onlyProlongs() {
        return underWay && !stopped && !lowering && interruptions == interruptionsBefore;
    }

    /** Takes the answer to a renewal of the larger lease that this one replaced. */
    public LeaseLife.Event confirmedBefore(long sentAt, Renewal.Renewed renewed) {
        return stopped ? PROLONGS_NOTHING : confirmed(sentAt, renewed);
    }

    /** Takes the answer to the renewal of this lease. A deadline that does not move still counts from the earlier request. */
    private LeaseLife.Event ownConfirmed(long sentAt, Renewal.Renewed renewed) {
        long before = confirmedUntil;
        LeaseLife.Event event = confirmed(sentAt, renewed);
        clockDifference = confirmedUntil > before ? clockDifferenceNow : clockDifference;
        return event;
    }

    /** Takes the confirmed extension of a fixed lease. */
    public LeaseLife.Event extended(long sentAt, Renewal.Renewed renewed) {
        doubt = null;
        dueSince = underWay ? dueSince : Timed.NEVER;
        return confirmed(sentAt, renewed);
    }

    /** Moves the end of the confirmed time. */
    LeaseLife.Event confirmed(long sentAt, Renewal.Renewed renewed) {
        long more = Nanos.of(renewed.validity());
        confirmedUntil = Math.max(confirmedUntil, sentAt + more - Nanos.drift(more));
        return new LeaseLife.Event.Confirmed(confirmedUntil, more);
    }
}
