package io.hasp.simulator.clients;

/**
 * A blocking call that is made one step at a time, whenever the simulator says so.
 *
 * @param <T> the type of its result
 */
public interface SteppedCall<T> {

    /**
     * True if a step can be made; false while the thread would sleep.
     *
     * @return false as well after the call has returned
     */
    boolean ready();

    /**
     * Makes the thread's next step.
     *
     * @return true if the call has returned, so that {@link #result} has its outcome
     */
    boolean step();

    /**
     * Interrupts the thread of an acquisition, which makes one step more and returns without a result. Other calls keep an interrupt for
     * later.
     */
    default void interrupt() {}

    /**
     * The result of the call. Called once.
     *
     * @return the result of the blocking call
     * @throws RuntimeException what the call threw
     */
    T result();
}
