package io.hasp.engine.lease;

/**
 * The belief about one lease, as a value, and the one function that changes it. It has no clock, thread or I/O, so that a test can combine
 * each state with each event.
 *
 * <p>Time beats news: an event after the deadline finds the lease LOST, whatever it says. So a paused process cannot accept a reply that
 * waited for it in a socket. Before the deadline, a lease with an overdue confirmation is SUSPECT.
 *
 * @param state the present state
 * @param deadline the end unless it is confirmed; never beyond {@code cap}
 * @param cap the end even if it is confirmed (fixed lease, max hold)
 * @param suspectAt the moment of doubt unless it is confirmed: when a third of the validity is left; not before a deadline that no
 * confirmation can move
 * @param reason the reason of LOST, or of a missing confirmation while it is SUSPECT; empty if that is not known
 */
public record LeaseLife(State state, long deadline, long cap, long suspectAt, String reason) {

    /** The states of a lease. */
    public enum State {
        /** Confirmed, and the deadline is ahead. */
        HELD,
        /** Not confirmed at present, and the deadline is ahead. */
        SUSPECT,
        /** Gone. */
        LOST,
        /** Given back. */
        RELEASED
    }

    /** The events of a lease. */
    public sealed interface Event {
        /**
         * The server confirmed the holder. The belief holds until the deadline, which never moves back.
         *
         * @param validity the confirmed time
         */
        record Confirmed(long deadline, long validity) implements Event {}

        /**
         * The lease can't be confirmed at present.
         *
         * @param why the text of the server or the network; empty if that is not known
         */
        record Doubted(String why) implements Event {}

        /** The server says that the holder does not have the lock. */
        record Denied(String why) implements Event {}

        /** The holder gives it back. */
        record GivenBack() implements Event {}

        /** The holder moves the cap, having asked the server. */
        record Recapped(long cap) implements Event {}

        /** Only time has passed. */
        record Ticked() implements Event {}
    }

    static LeaseLife held(long deadline, long cap, long validity) {
        return new LeaseLife(State.HELD, Math.min(deadline, cap), cap, suspectAt(deadline, cap, validity), "");
    }

    static long suspectAt(long deadline, long cap, long validity) {
        return deadline < cap ? deadline - validity / 3 : Long.MAX_VALUE;
    }

    public boolean ended() {
        return ended(state);
    }

    static boolean ended(State state) {
        return state == State.LOST || state == State.RELEASED;
    }

    /** True if a confirmation could prolong it or end a doubt. */
    public boolean renewable() {
        return renewable(state, deadline, cap);
    }

    static boolean renewable(State state, long deadline, long cap) {
        return !ended(state) && (deadline < cap || state == State.SUSPECT);
    }

    public LeaseLife on(Event event, long now) {
        if (ended()) {
            return this;
        }
        if (now >= deadline) {
            return lost(deadline == cap ? "it reached the end of its time" : unconfirmed());
        }
        if (event instanceof Event.Confirmed confirmed) {
            return held(Math.max(deadline, confirmed.deadline), cap, confirmed.validity);
        }
        if (event instanceof Event.Recapped recapped) {
            return new LeaseLife(state, Math.min(deadline, recapped.cap), recapped.cap, suspectAt, reason);
        }
        if (event instanceof Event.Doubted doubted) {
            return suspect(doubted.why);
        }
        if (event instanceof Event.Ticked && now >= suspectAt) {
            return suspect(reason);
        }
        if (event instanceof Event.Denied denied) {
            return lost(denied.why);
        }
        if (event instanceof Event.GivenBack) {
            return new LeaseLife(State.RELEASED, deadline, cap, suspectAt, "");
        }
        return this;
    }

    private LeaseLife suspect(String why) {
        return new LeaseLife(State.SUSPECT, deadline, cap, suspectAt, why);
    }

    private String unconfirmed() {
        return "it was not confirmed before its deadline" + (reason.isEmpty() ? "" : ": " + reason);
    }

    private LeaseLife lost(String why) {
        return new LeaseLife(State.LOST, deadline, cap, suspectAt, why);
    }
}
