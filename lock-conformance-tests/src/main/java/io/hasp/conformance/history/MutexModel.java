package io.hasp.conformance.history;

import java.util.Optional;

/** The locks that a history can be compared with, as one pure step function. Owners are clients. */
public enum MutexModel {
    /** Who holds it may not take it again; only the holder can release it. */
    OWNER_AWARE("a mutex that knows its owner", false, false),
    /** The holder may take it again, and must release it as often. */
    REENTRANT("a reentrant mutex", true, false),
    /** {@link #OWNER_AWARE}, and each grant has a larger token than the one before. */
    FENCED("a mutex with fencing tokens", false, true),
    /** {@link #REENTRANT} and fenced: re-entry returns the same token. */
    FENCED_REENTRANT("a reentrant mutex with fencing tokens", true, true);

    private final String words;
    private final boolean reentrant;
    private final boolean fenced;

    MutexModel(String words, boolean reentrant, boolean fenced) {
        this.words = words;
        this.reentrant = reentrant;
        this.fenced = fenced;
    }

    /**
     * What it is.
     *
     * @return such as {@code "a reentrant mutex"}
     */
    public String words() {
        return words;
    }

    /** What a client did, reduced to what a lock's state depends on. */
    enum Act {
        ACQUIRE,
        RELEASE,
        /** A release that was refused because the client did not hold the lock. */
        REFUSED_RELEASE,
        /** The hold of that attempt ended by itself. */
        EXPIRE
    }

    /** A step; the token is 0 where it is not known or there is none. */
    record Step(Act act, String client, long attempt, long token) {}

    /**
     * Who holds it, since which of its attempts, how often; and the last token, which outlives the hold.
     *
     * @param owner empty for free
     */
    record State(String owner, long attempt, int count, long token) {
        static final State FREE = new State("", 0, 0, 0);

        boolean free() {
            return count == 0;
        }

        State freed() {
            return new State("", 0, 0, token);
        }

        @Override
        public String toString() {
            return free() ? "free" : "held by " + owner + " #" + attempt + (count > 1 ? ", " + count + " times" : "");
        }
    }

    /** The state after a step; empty if a lock in this state could not have answered so. */
    Optional<State> step(State state, Step step) {
        boolean owner = !state.free() && state.owner().equals(step.client());
        return switch (step.act()) {
            case ACQUIRE -> acquire(state, step, owner);
            case RELEASE -> owner ? Optional.of(oneLess(state)) : Optional.empty();
            case REFUSED_RELEASE -> owner ? Optional.empty() : Optional.of(state);
            case EXPIRE -> owner && state.attempt() == step.attempt() ? Optional.of(state.freed()) : Optional.empty();
        };
    }

    private Optional<State> acquire(State state, Step step, boolean owner) {
        boolean token = fenced && step.token() != 0;
        if (state.free()) {
            return token && step.token() <= state.token()
                    ? Optional.empty()
                    : Optional.of(new State(step.client(), step.attempt(), 1, token ? step.token() : state.token()));
        }
        if (!owner || !reentrant || (token && step.token() != state.token())) {
            return Optional.empty();
        }
        return Optional.of(new State(state.owner(), state.attempt(), state.count() + 1, state.token()));
    }

    private static State oneLess(State state) {
        return state.count() == 1
                ? state.freed()
                : new State(state.owner(), state.attempt(), state.count() - 1, state.token());
    }
}
