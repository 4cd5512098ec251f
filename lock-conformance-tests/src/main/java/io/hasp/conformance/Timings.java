package io.hasp.conformance;

import java.time.Duration;

/**
 * All times of the rules, as multiples of one unit. The system property {@code hasp.timings.scale} adapts them to a
 * slower machine or backend. Stateless.
 */
public final class Timings {
    /** The system property that multiplies every time; the default is 1. */
    public static final String SCALE = "hasp.timings.scale";

    private static final double UNIT_MILLIS = 100 * Double.parseDouble(System.getProperty(SCALE, "1"));
    private static final int LEASE_UNITS = 15;
    private static final int TOLERANCE_UNITS = 10;
    private static final int LONG_WAIT_UNITS = 200;

    private Timings() {}

    /**
     * Returns a multiple of the unit; a unit is 100 ms at scale 1.
     *
     * @param count the number of units; may be a fraction
     * @return the time
     */
    public static Duration units(double count) {
        return Duration.ofNanos((long) (count * UNIT_MILLIS * 1_000_000));
    }

    /**
     * Returns the time after which a subject's server frees the lock of a silent client. It is long enough that a busy
     * machine does not silence a client.
     *
     * @return fifteen units
     */
    public static Duration lease() {
        return units(LEASE_UNITS);
    }

    /**
     * Returns the allowed delay of an event that must happen. It covers polling, scheduling and a busy machine.
     *
     * @return ten units
     */
    public static Duration tolerance() {
        return units(TOLERANCE_UNITS);
    }

    /**
     * Returns a wait whose end is always a failure.
     *
     * @return two hundred units
     */
    public static Duration longWait() {
        return units(LONG_WAIT_UNITS);
    }
}
