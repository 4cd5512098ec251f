package io.hasp.engine.machine;

import io.hasp.engine.lease.Timed;
import io.hasp.spi.Claim;
import java.util.concurrent.TimeUnit;

/**
 * A holder id that belongs to nobody any more and may have something on the server. Its release is repeated until it is
 * answered, or until what was asked for must have ended by itself: a lease at its end, a session with its client.
 */
public final class OwedRelease extends Timed {
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(5);

    public final Claim claim;
    private final long until;
    private long pause = FIRST_PAUSE;
    /** When its request was last made. */
    private long askedAt;

    OwedRelease(Claim claim, long until, long now) {
        this.claim = claim;
        this.until = until;
        this.askedAt = now;
    }

    /** Whether it failed, and waits until it is tried again. */
    boolean pauses() {
        return alarm != NEVER;
    }

    void asksAt(long now) {
        askedAt = now;
    }

    /** Whether its latest request is older than that moment: what became of it says nothing about the backend since. */
    boolean askedBefore(long moment) {
        return askedAt < moment;
    }

    boolean over(long now) {
        return now > until;
    }

    /** When to try again after a failure. */
    long nextTry(long now) {
        long at = now + pause;
        pause = Math.min(pause * 2, LONGEST_PAUSE);
        return at;
    }
}
