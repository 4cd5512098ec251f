package io.hasp.spi;

import java.time.Duration;

/**
 * The clock and the scheduler of a client, injected so that tests can run on virtual time. Thread-safe.
 *
 * <p>The clock is monotonic: setting the wall clock has no effect. It may stop while a virtual machine is suspended; only
 * a fencing token protects then. A grant that was kept meanwhile is not used again, if the wall clock tells of the suspension.
 */
public interface Timing {

    /**
     * Like {@link System#nanoTime}: good for differences only.
     *
     * @return nanoseconds since an arbitrary origin
     */
    long nanoTime();

    /**
     * The wall clock, which goes on while a virtual machine is suspended. It is compared with {@link #nanoTime} over the same span, to
     * notice that, and is used for nothing else.
     *
     * @return nanoseconds since an arbitrary origin; by default those of {@link #nanoTime}, so that nothing is ever noticed
     */
    default long wallClockNanos() {
        return nanoTime();
    }

    /**
     * Runs a task once, later, on a thread of the scheduler's. The task must be short and must not block.
     *
     * @param delay how long to wait; zero or negative means as soon as possible
     * @param task what to run
     * @return a handle that withdraws the task
     */
    Timer schedule(Duration delay, Runnable task);

    /** A scheduled task. */
    @FunctionalInterface
    interface Timer {
        /** Withdraws the task; without effect when it has run or runs already. */
        void cancel();
    }
}
