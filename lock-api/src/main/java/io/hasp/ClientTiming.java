package io.hasp;

import java.time.Duration;

/**
 * The clock and the scheduler of a client, for programs that test on virtual time. Given by {@link ClientOptions#timing}.
 * Implementations are thread-safe.
 *
 * <p>The clock is monotonic: setting the wall clock has no effect on it. Every wait and lease is measured with it.
 *
 * <p>No method may block. A clock or scheduler that fails ends no lease and no wait, and the client logs the failure once. It can't notice a
 * scheduler that never runs a task: waits do not end then, and leases are lost at their deadline.
 */
public interface ClientTiming {

    /**
     * Like {@link System#nanoTime}: good for differences only. Must neither throw nor go backwards. While it throws, the
     * system's clock counts. After a step backwards the clock goes on from the time that has passed by the system's clock.
     *
     * @return nanoseconds since an arbitrary origin
     */
    long nanoTime();

    /**
     * A clock that goes on while the machine is suspended, when the other one may stand still. A lock that was {@linkplain
     * ClientOptions#keep kept} is not used again without asking the server if the two differ about the time since the server last confirmed it.
     *
     * @return nanoseconds since an arbitrary origin; by default {@link #nanoTime}
     */
    default long wallClockNanos() {
        return nanoTime();
    }

    /**
     * Runs a task once, later, on a thread of the scheduler's and never on the calling one. The client's tasks are short and don't
     * block. If the method throws, or runs the task before it returns, a thread of the client runs the task after the delay.
     *
     * @param delay how long to wait; zero or negative means as soon as possible
     * @param task what to run
     * @return a handle that withdraws the task
     */
    Timer schedule(Duration delay, Runnable task);

    /** A scheduled task. Thread-safe. */
    @FunctionalInterface
    interface Timer {
        /** Withdraws the task; without effect when it has run or runs already. */
        void cancel();
    }
}
