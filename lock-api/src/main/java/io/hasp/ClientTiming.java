package io.hasp;

import java.time.Duration;

/**
 * Provides the clock and the scheduler of a client, for programs that test on virtual time. Set by {@link ClientOptions#timing}.
 * Implementations are thread-safe, and no method may block.
 *
 * <p>The clock is monotonic: a change of the wall clock has no effect on it. The client measures every wait and lease with it.
 *
 * <p>A clock or scheduler that fails ends no lease and no wait; the client logs the failure once. The client can't notice a scheduler that
 * never runs a task: waits do not end then, and leases are lost at their deadline.
 */
public interface ClientTiming {

    /**
     * Returns the time like {@link System#nanoTime}: good for differences only. Must neither throw nor go backwards. While it throws, the
     * system's clock counts. After a step backwards the clock goes on from the time that has passed by the system's clock.
     *
     * @return nanoseconds since an arbitrary origin
     */
    long nanoTime();

    /**
     * Returns a clock that advances while the machine is suspended, when {@link #nanoTime} may stand still. If the two clocks differ about
     * the time since the server last confirmed a {@linkplain ClientOptions#keep kept} lock, the next use of the lock sends a request.
     *
     * @return nanoseconds since an arbitrary origin; by default {@link #nanoTime}
     */
    default long wallClockNanos() {
        return nanoTime();
    }

    /**
     * Runs a task once, later, on a thread of the scheduler and never on the calling thread. The client's tasks are short and don't block.
     * If the method throws, or runs the task before it returns, a thread of the client runs the task after the delay.
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
