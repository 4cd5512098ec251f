package io.hasp.spi;

/**
 * How much earlier than the server a client ends a lease or a session: two clocks may run at slightly different speeds. The
 * margin is 1 % and 2 ms.
 */
public final class ClockMargin {
    private ClockMargin() {}

    /**
     * The margin for a time span.
     *
     * @param nanos the length of the span in nanoseconds
     * @return what to subtract from it, in nanoseconds
     */
    public static long ofNanos(long nanos) {
        return nanos / 100 + 2_000_000;
    }
}
