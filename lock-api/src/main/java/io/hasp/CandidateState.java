package io.hasp;

import org.jspecify.annotations.Nullable;

/**
 * The state of one candidate. Pure: each method is an event, changes the state, and returns what follows from it; {@link CandidateDriver} does
 * that. The driver's monitor guards the state, but {@link #term} may be read without it.
 *
 * <pre>
 * NOT_JOINED -joins-&gt; ASKING -granted-&gt; LEADING -ends-&gt; LEAVING -released-&gt; ASKING
 *                     ASKING -refused-&gt; PAUSING                   -released, the work failed-&gt; PAUSING
 *                                       PAUSING -pauseOver-&gt; ASKING
 * </pre>
 *
 * <p>A close may come in each phase. A candidate that asks or leads ends when its request or its lock is given back.
 */
final class CandidateState {
    private enum Phase {
        NOT_JOINED,
        ASKING,
        LEADING,
        /** The term is over, and its lock is being released, or its work has not ended. */
        LEAVING,
        PAUSING
    }

    /** The step that follows an event. */
    enum Step {
        NOTHING,
        ASK,
        PAUSE,
        /** The candidate was closed, and has nothing left to do. */
        END
    }

    private Phase phase = Phase.NOT_JOINED;
    private volatile @Nullable Term term;
    private boolean closed;

    /** Null if the candidate does not lead. The term may have ended by its deadline. */
    @Nullable
    Term term() {
        return term;
    }

    boolean leads() {
        return phase == Phase.LEADING;
    }

    boolean closed() {
        return closed;
    }

    Step joins() {
        if (phase != Phase.NOT_JOINED) {
            return Step.NOTHING;
        }
        phase = Phase.ASKING;
        return Step.ASK;
    }

    /** The request failed. The close has withdrawn that of a closed candidate. */
    Step refused() {
        if (closed) {
            return Step.NOTHING;
        }
        phase = Phase.PAUSING;
        return Step.PAUSE;
    }

    /** False if the candidate was closed: the lock is given back. */
    boolean granted(Term begun) {
        if (closed) {
            return false;
        }
        phase = Phase.LEADING;
        term = begun;
        return true;
    }

    /** The term ends for all who look; false if it has ended before. */
    boolean ends(Term ending) {
        if (term != ending) {
            return false;
        }
        ending.resign();
        term = null;
        phase = Phase.LEAVING;
        return true;
    }

    /** The lock of the former term was given back. */
    Step released(boolean workFailed) {
        if (closed) {
            return Step.END;
        }
        phase = workFailed ? Phase.PAUSING : Phase.ASKING;
        return workFailed ? Step.PAUSE : Step.ASK;
    }

    Step pauseOver() {
        if (closed || phase != Phase.PAUSING) {
            return Step.NOTHING;
        }
        phase = Phase.ASKING;
        return Step.ASK;
    }

    Step closes() {
        closed = true;
        return phase == Phase.NOT_JOINED || phase == Phase.PAUSING ? Step.END : Step.NOTHING;
    }
}
