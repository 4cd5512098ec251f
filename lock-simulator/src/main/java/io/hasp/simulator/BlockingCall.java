package io.hasp.simulator;

import io.hasp.Lease;
import java.util.Optional;

/** A blocking acquisition whose thread is the simulator's: it makes one step whenever it is told to. */
public interface BlockingCall {

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

    /** Interrupts the thread, which sees that at its next step at the latest; the call returns without a lease. */
    void interrupt();

    /**
     * What the call returned. To be asked once.
     *
     * @return the lease; empty if others hold the lock
     * @throws RuntimeException what the call threw
     */
    Optional<Lease> result();
}
