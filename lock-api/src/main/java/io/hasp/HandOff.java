package io.hasp;

import java.time.Duration;

/**
 * How often a client may pass a lock on between its own waiters before it has to offer it to other clients. Passing on
 * needs no round trip to the server; each new holder gets an own lease and a larger fencing token. When a bound is reached
 * the lock goes back to the server, where clients that wait get their turn.
 *
 * <p>A remote client with k clients ahead of it waits at most (k + 1) × ({@code within} + the longest hold). After Dice,
 * Marathe and Shavit, <em>Lock Cohorting: A General Technique for Designing NUMA Locks</em> (PPoPP 2012).
 *
 * <p>Permits of a semaphore are passed on to the first that waits for as many. Read-write locks are not passed on: a reader must not
 * pass a writer of another client.
 *
 * <p>Never used for a fixed lease, nor for a waiter with another renewed lease, nor while a lease is SUSPECT.
 *
 * @param most how many times in a row, 0 to 255; 0 switches it off, so that clients are served in the backend's own order
 * @param within for how long in a row
 */
public record HandOff(int most, Duration within) {
    /** The most that fits beside a server token in a public one. */
    static final int LIMIT = 255;

    private static final Duration USUAL = Duration.ofMillis(20);
    private static final HandOff DEFAULTS = new HandOff(LIMIT, USUAL);
    private static final HandOff OFF = new HandOff(0, USUAL);

    /**
     * Checks the bounds.
     *
     * @throws InvalidArgumentException naming the value and the rule
     */
    public HandOff {
        if (most < 0 || most > LIMIT) {
            throw new InvalidArgumentException("handOff is " + most + ": it must be from 0 (off) to " + LIMIT);
        }
        Durations.positive("handOffWithin", within);
    }

    /**
     * At most 255 times and for 20 ms in a row.
     *
     * @return the default bounds
     */
    public static HandOff defaults() {
        return DEFAULTS;
    }

    /**
     * Every release goes to the server.
     *
     * @return no hand-off
     */
    public static HandOff off() {
        return OFF;
    }
}
