package io.hasp.conformance.history;

import java.time.Duration;

/** The time that a bound is exceeded by if the machine was busy. */
@FunctionalInterface
public interface Allowance {
    /** For a machine that is never late. */
    Allowance NONE = (from, to) -> Duration.ZERO;

    /**
     * The allowance for what happened in a time.
     *
     * @param from its beginning on {@link System#nanoTime}
     * @param to its end
     * @return zero if the machine was not late
     */
    Duration between(long from, long to);
}
