package io.hasp.evaluation.measure;

import java.time.Duration;
import java.util.concurrent.ExecutionException;

/** The ways to measure one subject. Each experiment takes one of them. All throw what {@link Experiment.Procedure} says. */
public interface ExperimentRunner {
    /**
     * Threads take the lock, hold it and release it, again and again until the slice is over.
     *
     * @param workload the work
     * @param slice for how long
     * @return what was done
     * @throws ExecutionException if the lock threw or a thread did not return in time
     * @throws InterruptedException if the thread was interrupted
     */
    SliceResult closedLoop(Workload workload, Duration slice) throws ExecutionException, InterruptedException;

    /**
     * Two processes take the same locks in turn, until the slice is over.
     *
     * @param workload the work
     * @param slice for how long
     * @return what was done
     * @throws ExecutionException if the lock threw or a thread did not return in time
     * @throws InterruptedException if the thread was interrupted
     */
    SliceResult inTurn(Workload workload, Duration slice) throws ExecutionException, InterruptedException;

    /**
     * One process holds many locks and does nothing else.
     *
     * @param workload the locks
     * @param slice for how long
     * @return the processor time it cost
     * @throws ExecutionException if the lock threw
     * @throws InterruptedException if the thread was interrupted
     */
    SliceResult heldLocks(Workload workload, Duration slice) throws ExecutionException, InterruptedException;

    /**
     * The process of a holder is killed while another client waits. In an election, leaders also resign.
     *
     * @param workload names the lock
     * @param slice not used: the trial ends when the other client has the lock
     * @return how long that took
     * @throws ExecutionException if the lock threw, or was never free again
     * @throws InterruptedException if the thread was interrupted
     */
    SliceResult takeOver(Workload workload, Duration slice) throws ExecutionException, InterruptedException;

    /**
     * The server that decides is killed while two clients work.
     *
     * @param workload names the locks
     * @param slice for how long they go on after the kill
     * @return the longest time without an acquisition, and violations of safety
     * @throws ExecutionException if a client did not return in time
     * @throws InterruptedException if the thread was interrupted
     */
    SliceResult failover(Workload workload, Duration slice) throws ExecutionException, InterruptedException;

    /**
     * Lets callers send requests to stopped servers.
     *
     * @param workload names the locks, one for each caller
     * @param slice how long the servers stay stopped beyond the wait of the callers
     * @return the callers' results, and their times
     * @throws ExecutionException if a client could not be prepared
     * @throws InterruptedException if the thread was interrupted
     */
    SliceResult stoppedServers(Workload workload, Duration slice) throws ExecutionException, InterruptedException;

    /**
     * One client holds many locks, then threads of another wait for some of them.
     *
     * @param workload the locks
     * @param slice not used: the trial ends when the memory was read
     * @return the memory of client and servers for each
     * @throws ExecutionException if the lock threw
     * @throws InterruptedException if the thread was interrupted
     */
    SliceResult footprint(Workload workload, Duration slice) throws ExecutionException, InterruptedException;
}
