package io.hasp.simulator;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.ReleaseResult;
import io.hasp.spi.BackendSource;
import java.time.Duration;
import java.util.Optional;

/** What the simulator needs of a client beyond the public API: calls that block, made one step at a time. */
public interface ClientDriver {

    /** Opens clients. Has a constructor without arguments, so that it can be named. */
    @FunctionalInterface
    interface Factory {

        /**
         * Opens a client.
         *
         * @param source its backend
         * @param options with a timing and an executor
         * @return a new client
         */
        ClientDriver open(BackendSource source, ClientOptions options);
    }

    /**
     * The client.
     *
     * @return the same each time
     */
    LockClient client();

    /**
     * Begins a blocking acquisition.
     *
     * @param name the lock
     * @param options how it is held
     * @param wait as in {@code tryAcquire}; beyond 36 years for ever
     * @return the call; empty if others hold the lock
     * @throws io.hasp.ClientClosedException if the client is closed
     */
    BlockingCall<Optional<Lease>> acquire(String name, LockOptions options, Duration wait);

    /**
     * Begins a blocking release. The lease is over when this returns.
     *
     * @param lease what is given back
     * @return the call
     */
    BlockingCall<ReleaseResult> release(Lease lease);

    /**
     * Begins a blocking extension.
     *
     * @param lease a fixed one
     * @param longer as in {@link Lease#extend}
     * @return the call; what it returns means nothing
     * @throws io.hasp.LeaseLostException if it was lost or released
     */
    BlockingCall<?> extend(Lease lease, Duration longer);

    /**
     * Begins to raise the token floor of a lock.
     *
     * @param name the lock
     * @param token as in {@code raiseTokenFloor}
     * @return the call; what it returns means nothing
     * @throws io.hasp.ClientClosedException if the client is closed
     */
    BlockingCall<?> raiseTokenFloor(String name, long token);

    /**
     * Whether {@code call} would throw a {@link io.hasp.LeaseLostException} after the release of that lease.
     *
     * @param released a lease whose release has been answered
     * @return whether it is known to have been lost
     */
    boolean knowsOfLoss(Lease released);

    /**
     * Whether the client remembers nothing of any lock.
     *
     * @return true when nothing is waiting, held, owed or unanswered
     */
    boolean idle();

    /**
     * Lets memory run out in the engine while a task runs.
     *
     * @param rows with which row of the engine's table it does
     * @param task delivers answers or fires timers
     */
    void withoutMemory(int rows, Runnable task);

    /** Begins to close the client. To be called once. */
    void close();

    /**
     * Whether {@link #close} would have returned by now. To be asked after every step.
     *
     * @return whether the client is closed
     */
    boolean closed();

    /**
     * What the engine's state comes to, without names of holders and moments, for counting distinct states.
     *
     * @return a hash
     */
    long state();
}
