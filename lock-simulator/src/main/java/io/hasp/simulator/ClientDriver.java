package io.hasp.simulator;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.spi.BackendSource;
import java.time.Duration;

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
     * @return the call
     * @throws io.hasp.ClientClosedException if the client is closed
     */
    BlockingCall acquire(String name, LockOptions options, Duration wait);

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
     * @return a hash; zero if the engine does not tell
     */
    default long state() {
        return 0;
    }
}
