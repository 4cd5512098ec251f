package io.hasp.conformance.history;

/** An observer's record, which explains violations. */
@FunctionalInterface
public interface Explanation {

    /**
     * Returns the part of the record around a violation.
     *
     * @param lock the lock's name
     * @param from the first moment of the violation on {@link System#nanoTime}, the zero of its timeline
     * @param to the last moment of the violation
     * @return lines with times in milliseconds after {@code from}; empty if nothing was recorded
     */
    String around(String lock, long from, long to);
}
