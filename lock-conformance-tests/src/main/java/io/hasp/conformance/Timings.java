package io.hasp.conformance;

import java.time.Duration;

/**
 * Every time in the rules is a multiple of one unit, so that one knob, the system property
 * {@code hasp.timings.scale}, fits them all to a slower machine or backend.
 */
public final class Timings {
    /** The system property that stretches every time; 1 if it is not set. */
    public static final String SCALE = "hasp.timings.scale";

    private static final double UNIT_MILLIS = 100 * Double.parseDouble(System.getProperty(SCALE, "1"));
    private static final int LEASE_UNITS = 15;
    private static final int TOLERANCE_UNITS = 10;
    private static final int LONG_WAIT_UNITS = 200;

    private Timings() {}

    /**
     * A multiple of the unit, which is 100 ms if the scale is 1.
     *
     * @param count how many units; fractions are fine
     * @return the time
     */
    public static Duration units(double count) {
        return Duration.ofNanos((long) (count * UNIT_MILLIS * 1_000_000));
    }

    /**
     * After how long the server of a subject frees the lock of a client that fell silent. Long enough that a busy machine
     * does not make a client fall silent by itself.
     *
     * @return fifteen units
     */
    public static Duration lease() {
        return units(LEASE_UNITS);
    }

    /**
     * How late an event that has to happen may be noticed: polls, scheduling and a busy machine included.
     *
     * @return ten units
     */
    public static Duration tolerance() {
        return units(TOLERANCE_UNITS);
    }

    /**
     * A wait so long that its end is a failure by itself.
     *
     * @return two hundred units
     */
    public static Duration longWait() {
        return units(LONG_WAIT_UNITS);
    }
}
