package io.hasp.engine.machine;

import io.hasp.engine.lease.Timed;
import io.hasp.spi.Claim;
import java.util.concurrent.TimeUnit;

/**
 * The pending release of a holder id that is not in use any more and may still have something on the server. It is repeated until it is
 * answered, or until the claim must have ended by itself: a lease at its end, a session with its client.
 */
public final class PendingRelease extends Timed {
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(5);

    public final Claim claim;
    private final long until;
    private long pause = FIRST_PAUSE;
    private long askedAt;

    PendingRelease(Claim claim, long until, long now) {
        this.claim = claim;
        this.until = until;
        this.askedAt = now;
    }

    /** True if it failed and waits for its next try. */
    boolean pauses() {
        return alarm != NEVER;
    }

    void asksAt(long now) {
        askedAt = now;
    }

    /** The moment of its latest request. */
    long askedAt() {
        return askedAt;
    }

    boolean over(long now) {
        return now > until;
    }

    /** The moment of the next try after a failure. */
    long nextTry(long now) {
        long at = now + pause;
        pause = Math.min(pause * 2, LONGEST_PAUSE);
        return at;
    }
}
