package io.hasp.simulator.clients;

import io.hasp.ClientOptions;
import io.hasp.LeaderElection;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.ReentrantDistributedLock;
import io.hasp.ReleaseResult;
import io.hasp.Term;
import io.hasp.spi.BackendSource;
import io.hasp.spi.HolderId;
import io.hasp.spi.Share;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The access that the simulator needs beyond the public API: blocking calls, made one step at a time. */
public interface ClientDriver {

    /** Opens clients. Has a constructor without arguments, so that it can be named. */
    @FunctionalInterface
    interface Factory {

        /**
         * Opens a client.
         *
         * @param source its backend
         * @param options with a timing and an executor
         * @param mostAsking the number of callers that make requests for a shared lock at a time
         * @param pools its threads; null if all runs on the executor of the options
         * @return a new client
         */
        ClientDriver open(BackendSource source, ClientOptions options, int mostAsking, @Nullable Pools pools);
    }

    /** The threads of one client. */
    interface Pools {

        /**
         * A pool of threads.
         *
         * @param purpose as the engine names it
         * @param most the number of tasks that run at a time
         * @return a new pool
         */
        Executor pool(String purpose, int most);

        /**
         * True if a timer of the client runs on the calling thread.
         *
         * @return false on a thread of any other kind
         */
        boolean onTimer();

        /**
         * For a call that the present thread begins.
         *
         * @return to be run where the caller gets something to do, which may be on the thread of another caller
         */
        Runnable waker();
    }

    /**
     * The client.
     *
     * @return the same each time
     */
    LockClient client();

    /** True if the server has answered everything; leases may be in use. */
    boolean answered();

    /**
     * Begins a blocking acquisition.
     *
     * @param name the lock
     * @param options those of the lock
     * @param share the part of the lock
     * @param wait as in {@code tryAcquire}; beyond 36 years without limit
     * @return the call; empty if others hold the lock
     * @throws io.hasp.ClientClosedException if the client is closed
     */
    SteppedCall<Optional<Lease>> acquire(String name, LockOptions options, Share share, Duration wait);

    /**
     * Begins a blocking release. The lease is over when this returns.
     *
     * @param lease the lease to give back
     * @return the call
     */
    SteppedCall<ReleaseResult> release(Lease lease);

    /**
     * Begins a blocking extension.
     *
     * @param lease a fixed one
     * @param longer as in {@link Lease#extend}
     * @return the call; what it returns means nothing
     * @throws io.hasp.LeaseLostException if it was lost or released
     */
    SteppedCall<?> extend(Lease lease, Duration longer);

    /**
     * Begins to raise the token floor of a lock.
     *
     * @param name the lock
     * @param token as in {@code raiseTokenFloor}
     * @return the call; what it returns means nothing
     * @throws io.hasp.ClientClosedException if the client is closed
     */
    SteppedCall<?> raiseTokenFloor(String name, long token);

    /**
     * As {@link io.hasp.DistributedLock#asReentrantLock}. Which thread calls it is said by {@link #asThread}.
     *
     * @param name the lock
     * @param options those of the lock
     * @return a view
     */
    ReentrantDistributedLock asReentrantLock(String name, LockOptions options);

    /**
     * Calls a view as one of the threads that use it; to be used for whatever does not block.
     *
     * @param thread the number of the thread
     * @param call the call on the view
     * @param <T> the type of its result
     * @return the result of the call
     */
    <T> T asThread(int thread, Supplier<T> call);

    /**
     * Begins {@code lock}, {@code lockInterruptibly} or {@code tryLock} of a thread that has not locked.
     *
     * @param view the view to lock
     * @param options those of the view
     * @param thread the number of the thread
     * @param wait as in {@link #acquire}
     * @return the call; false if others hold the lock
     * @throws io.hasp.ClientClosedException if the client is closed
     */
    SteppedCall<Boolean> lock(ReentrantDistributedLock view, LockOptions options, int thread, Duration wait);

    /**
     * True if the engine has that lease, and not another one, for its lock.
     *
     * @param lease one that is not over
     * @return false if the engine would let another contender have the lock
     */
    boolean holds(Lease lease);

    /**
     * The grant that the engine keeps of a lock without a lease.
     *
     * @param name the lock
     * @return null if nothing
     */
    @Nullable
    KeptLock kept(String name);

    /**
     * The holder of the grant under the present lease of a lock.
     *
     * @param name the lock
     * @return null if there is no lease that is alive
     */
    @Nullable
    HolderId holder(String name);

    /**
     * The time since a lost lease came to the end of its own time.
     *
     * @param lost a lease
     * @return nanoseconds; the largest number if it was lost otherwise
     */
    long sinceItsEnd(Lease lost);

    /**
     * True if {@code call} would throw a {@link io.hasp.LeaseLostException} after the release of that lease.
     *
     * @param released a lease whose release has been answered
     * @return true if the client has noticed a loss
     */
    boolean knowsOfLoss(Lease released);

    /**
     * Interrupts work under a lease when the lease is lost.
     *
     * @param lease with {@link io.hasp.OnLoss#INTERRUPT}
     * @param interrupt runs when the work would be interrupted
     * @return to be run when the work has ended
     */
    Runnable whenCutShort(Lease lease, Runnable interrupt);

    /**
     * The lease of a term.
     *
     * @param term a term of this client
     * @return the lease by which its candidate leads
     */
    Lease leaseOf(Term term);

    /**
     * Makes the work of terms in steps.
     *
     * @param started receives the work of each term when it would get its thread
     */
    void workInSteps(Consumer<SteppedWork> started);

    /**
     * Closes a candidate as {@link LeaderElection#close} does, and waits for nothing.
     *
     * @param election a candidate of this client
     */
    void beginClosing(LeaderElection election);

    /**
     * True if a candidate has left its election for good, and has released its lock.
     *
     * @param election a candidate of this client that was closed
     * @return true if nothing is left to do
     */
    boolean ended(LeaderElection election);

    /** Closes all candidates, as the close of a client does at first. */
    void beginClosingElections();

    /**
     * True if the client keeps no state of any lock.
     *
     * @return true when nothing is waiting, held, owed or unanswered
     */
    boolean idle();

    /**
     * Runs a task in which an error breaks a step of the client's machine.
     *
     * @param rows the number of rows of the engine's table that are taken before that
     * @param onBreak called before the error
     * @param task the task of the client
     */
    void breakingAfter(int rows, Runnable onBreak, Runnable task);

    /** True if an error has ended the client. */
    boolean failed();

    /** Begins to close the client as {@link LockClient#close} does: leases in use stay. */
    void beginClosing();

    /** Leaves the leases that are in use to their work, as {@link LockClient#close} does when its time is over. */
    void leave();

    /** Begins to close the client as {@link LockClient#closeNow} does. To be called once. */
    void giveEverythingBack();

    /** True if nothing but leases in use is left to do. */
    boolean settled();

    /**
     * True if the client has ended by now. Called after every step of a client that closes.
     *
     * @return true if nothing is left to do, or if the client gives everything back and the time for that is over
     */
    boolean closed();

    /**
     * A hash of the engine's state, without names of holders and moments, for counting distinct states.
     *
     * @return a hash
     */
    long state();
}
