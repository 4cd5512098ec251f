package io.hasp.spring.integration;

import io.hasp.LeaderElection;
import io.hasp.Term;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.Context;

/**
 * The context of one leadership: {@link AnyLockRegistry#leaderInitiator} passes it to {@link Candidate#onGranted}, {@link Candidate#onRevoked}
 * and their events. It leads only while its term lasts by its own clock. Thread-safe.
 */
public final class TermContext implements Context {
    private final LeaderElection election;
    private final Term term;
    private final @Nullable String role;
    private volatile boolean ended;

    TermContext(LeaderElection election, Term term, @Nullable String role) {
        this.election = election;
        this.term = term;
        this.role = role;
    }

    /** Its work has ended, for whatever reason. */
    void end() {
        ended = true;
    }

    /**
     * Returns the term, for its fencing token.
     *
     * @return the term of this leadership
     */
    public Term term() {
        return term;
    }

    /**
     * Returns true until the end of this leadership. Computed from the local deadline at each call. No I/O. Not guaranteed: anything after the
     * return.
     *
     * @return false for good once the leadership has ended; a later one has a context of its own
     */
    @Override
    public boolean isLeader() {
        return !ended && !term.ended();
    }

    /** Ends this leadership, and goes to the end of the queue. Does nothing if the leadership has ended. */
    @Override
    public void yield() {
        if (isLeader()) {
            boolean ignored = election.resign();
        }
    }

    @Override
    public @Nullable String getRole() {
        return role;
    }

    /** Names the term, for logs. */
    @Override
    public String toString() {
        return "TermContext[" + term + "]";
    }
}
