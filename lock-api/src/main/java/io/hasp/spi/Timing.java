package io.hasp.spi;

import java.time.Duration;

/**
 * Provides the clock and the scheduler of a client, injected so that tests can run on virtual time. Thread-safe.
 *
 * <p>The clock is monotonic: a change of the wall clock has no effect. It may stop while a virtual machine is suspended; only a fencing
 * token protects then. A grant that was kept at that time is not used again, if the wall clock shows the suspension.
 */
public interface Timing {

    /**
     * Returns the time like {@link System#nanoTime}: good for differences only.
     *
     * @return nanoseconds since an arbitrary origin
     */
    long nanoTime();

    /**
     * Returns the wall clock, which goes on while a virtual machine is suspended. The engine compares it with {@link #nanoTime} over the
     * same span to notice a suspension, and uses it for nothing else.
     *
     * @return nanoseconds since an arbitrary origin; by default those of {@link #nanoTime}, which hides every suspension
     */
    default long wallClockNanos() {
        return nanoTime();
    }

    /**
     * Runs a task once, later, on a thread of the scheduler. The task must be short and must not block.
     *
     * @param delay the time to wait; zero or negative means as soon as possible
     * @param task the task
     * @return a handle that cancels the task
     */
    Timer schedule(Duration delay, Runnable task);

    /** Cancels a scheduled task. Thread-safe. */
    @FunctionalInterface
    interface Timer {
        /** Cancels the task; no effect when it has run or runs already. */
        void cancel();
    }
}
