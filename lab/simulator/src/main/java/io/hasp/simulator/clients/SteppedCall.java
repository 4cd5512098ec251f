package io.hasp.simulator.clients;

/**
 * A blocking call that is made one step at a time, whenever the simulator says so.
 *
 * @param <T> what it returns
 */
public interface SteppedCall<T> {

    /**
     * Whether a step can be made; false while the thread would sleep.
     *
     * @return false as well after the call has returned
     */
    boolean ready();

    /**
     * Makes the thread's next step.
     *
     * @return whether the call has returned, so that {@link #result} tells
     */
    boolean step();

    /**
     * Interrupts the thread of an acquisition, which makes one step more and returns without a result. Other calls keep an interrupt for
     * later.
     */
    default void interrupt() {}

    /**
     * What the call returned. To be asked once.
     *
     * @return what the blocking call returns
     * @throws RuntimeException what the call threw
     */
    T result();
}
