package io.hasp.engine.lease;

/**
 * What one lease believes, as a value, and the one function that changes it. No clock, no thread, no I/O, so that every
 * state can meet every event in a test.
 *
 * <p>Time beats news: an event that arrives after the deadline finds the lease LOST, whatever it says. A process that was
 * paused can therefore not believe a reply that waited for it in a socket. Before that, a lease that should have been
 * confirmed by now and was not is SUSPECT.
 *
 * @param state what is believed
 * @param deadline when the belief ends unless it is confirmed; never beyond {@code cap}
 * @param cap when it ends even if confirmed (fixed lease, max hold)
 * @param suspectAt when it is doubted unless it is confirmed: when a third of the validity is left; not before a deadline
 *     that no confirmation can move
 * @param reason why it is LOST, or why it could not be confirmed while it is SUSPECT; empty if that is not known
 */
public record LeaseLife(State state, long deadline, long cap, long suspectAt, String reason) {

    /** What is believed of a lease. */
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

    /** What may happen to a lease. */
    public sealed interface Event {
        /**
         * The server confirmed the holder; the belief is good until the deadline, which never moves back.
         *
         * @param validity for how long the server confirmed it
         */
        record Confirmed(long deadline, long validity) implements Event {}

        /**
         * It can't be confirmed at present.
         *
         * @param why what the server or the network said; empty if that is not known
         */
        record Doubted(String why) implements Event {}

        /** The server says that the holder does not have the lock. */
        record Denied(String why) implements Event {}

        /** The holder gives it back. */
        record GivenBack() implements Event {}

        /** The holder moves the cap, having asked the server. */
        record Recapped(long cap) implements Event {}

        /** Nothing happened but time. */
        record Ticked() implements Event {}
    }

    static LeaseLife held(long deadline, long cap, long validity) {
        return new LeaseLife(State.HELD, Math.min(deadline, cap), cap, suspectAt(deadline, cap, validity), "");
    }

    private static long suspectAt(long deadline, long cap, long validity) {
        return deadline < cap ? deadline - validity / 3 : Long.MAX_VALUE;
    }

    /** Whether it is LOST or RELEASED. */
    public boolean ended() {
        return state == State.LOST || state == State.RELEASED;
    }

    /** Whether confirmation could still change anything: prolong it, or take a doubt away. */
    public boolean renewable() {
        return !ended() && (deadline < cap || state == State.SUSPECT);
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
