package io.hasp.conformance.history;

import java.time.Duration;

/** The time by which a bound may be exceeded because the machine was busy. */
@FunctionalInterface
public interface Allowance {
    /** For a machine that is never late. */
    Allowance NONE = (from, to) -> Duration.ZERO;

    /**
     * Returns the allowance for an interval.
     *
     * @param from its beginning on {@link System#nanoTime}
     * @param to its end
     * @return zero if the machine was not late
     */
    Duration between(long from, long to);
}
