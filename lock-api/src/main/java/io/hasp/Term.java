package io.hasp;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The time for which one candidate leads, from its election to its resignation or the loss of its lock; see {@link LeaderElection}.
 * Thread-safe.
 *
 * <p>A term is a claim, not a proof, as a {@link Lease} is. No other term of the election begins before this one has ended by this client's
 * clock, but the process may be paused between its look at the term and the write that follows. Then only the token protects: send
 * {@link #fencingToken()} with every write of the leader.
 */
public final class Term {
    private final Lease lease;
    private final LongSupplier clock;
    private final long begun;
    private volatile boolean resigned;

    Term(Lease lease, LongSupplier clock) {
        this.lease = lease;
        this.clock = clock;
        this.begun = clock.getAsLong();
    }

    Lease lease() {
        return lease;
    }

    void resign() {
        resigned = true;
    }

    /**
     * Returns the name of the election.
     *
     * @return the election's name
     */
    public String name() {
        return lease.name();
    }

    /**
     * Returns a number that grows with every later term of the election, of this candidate or another.
     *
     * @return a positive number, the same for the whole term; see {@link Lease#fencingToken}
     */
    public long fencingToken() {
        return lease.fencingToken();
    }

    /**
     * Returns the time since the term began in this process, by its monotonic clock. No I/O.
     *
     * @return zero or more; goes on after the end of the term
     */
    public Duration since() {
        return Duration.ofNanos(Math.max(0, clock.getAsLong() - begun));
    }

    /**
     * Returns the time until the term ends, if no further confirmation comes. No I/O.
     *
     * @return a lower bound; zero if the term has ended
     */
    public Duration remaining() {
        return resigned ? Duration.ZERO : lease.remaining();
    }

    /**
     * Returns true if the term has ended. Computed from the local deadline at each call, so a process that was paused finds out at its first
     * call. No I/O. Not guaranteed: anything after the return.
     *
     * @return true after a resignation, a loss, or the local deadline
     */
    public boolean ended() {
        if (resigned) {
            return true;
        }
        LeaseState state = lease.state();
        return state == LeaseState.LOST || state == LeaseState.RELEASED;
    }

    /**
     * Throws if the term has {@linkplain #ended ended}. No I/O. Not guaranteed: anything after the return.
     *
     * @throws LeaseLostException if it was lost
     * @throws LeaseReleasedException if the candidate resigned
     */
    public void ensureLeading() {
        lease.ensureHeld();
        if (resigned) {
            throw new LeaseReleasedException(
                    "the term of election '" + name() + "' with " + LockEvents.token(fencingToken()) + " has ended: its"
                            + " candidate resigned",
                    name(),
                    fencingToken());
        }
    }

    /** Names the election, the token, and whether the term has ended, for logs. */
    @Override
    public String toString() {
        return "Term[" + name() + ", " + LockEvents.token(fencingToken()) + (ended() ? ", ended]" : "]");
    }
}
