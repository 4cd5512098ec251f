package io.hasp.spi;

/**
 * Computes the time by which a client ends a lease or a session before the server does: two clocks may run at slightly different speeds.
 * The margin is 1 % and 2 ms.
 */
public final class ClockMargin {
    private ClockMargin() {}

    /**
     * Returns the margin for a time span.
     *
     * @param nanos the length of the span in nanoseconds
     * @return the nanoseconds to subtract from it
     */
    public static long ofNanos(long nanos) {
        return nanos / 100 + 2_000_000;
    }
}
