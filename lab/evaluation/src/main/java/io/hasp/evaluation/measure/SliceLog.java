package io.hasp.evaluation.measure;

import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/** The logs of all workers of one process for one slice, and what they cost it. It can be sent to another process. */
public final class SliceLog {
    private static final int COSTS = 2;

    private final List<WorkerLog> workers;
    private final long cpuNanos;
    private final long allocatedBytes;

    SliceLog(List<WorkerLog> workers, long cpuNanos, long allocatedBytes) {
        this.workers = List.copyOf(workers);
        this.cpuNanos = cpuNanos;
        this.allocatedBytes = allocatedBytes;
    }

    private static SliceLog of(List<Worker> workers, long start, Duration slice)
            throws ExecutionException, InterruptedException {
        ProcessCost cost = ProcessCost.counting();
        WorkerGroup.Done done = WorkerGroup.work(workers, start, slice);
        return new SliceLog(done.logs(), cost.cpuNanos(done.costs()), cost.allocatedBytes(done.costs()));
    }

    long cpuNanos() {
        return cpuNanos;
    }

    long allocatedBytes() {
        return allocatedBytes;
    }

    List<WorkerLog> workers() {
        return workers;
    }

    /**
     * Works in this process.
     *
     * @param clients one that all threads share, or one for each
     * @param workload the work
     * @param start when to begin on {@link System#nanoTime}, which the processes of one machine share
     * @param slice for how long
     * @return what was done
     * @throws ExecutionException if the lock threw or a thread did not return in time
     * @throws InterruptedException if the thread was interrupted
     */
    public static SliceLog work(List<LockUser> clients, Workload workload, long start, Duration slice)
            throws ExecutionException, InterruptedException {
        List<Worker> workers = new ArrayList<>();
        Arrivals arrivals = new Arrivals(workload.at());
        for (int thread = 0; thread < workload.threads(); thread++) {
            LockUser client = clients.get(thread % clients.size());
            workers.add(
                    workload.experiment().isOpenLoad()
                            ? new OpenLoop(client, workload, thread, arrivals, slice)
                            : new ClosedLoop(client, workload, thread));
        }
        List<SliceListener> listeners = clients.stream()
                .filter(SliceListener.class::isInstance)
                .map(SliceListener.class::cast)
                .toList();
        listeners.forEach(SliceListener::sliceBegins);
        try {
            return of(workers, start, slice);
        } finally {
            listeners.forEach(SliceListener::sliceEnds);
        }
    }

    /**
     * Works in this process, in turn with another one.
     *
     * @param user the client
     * @param workload the work
     * @param owner whether this process begins and ends it
     * @param other the connection to the other process, closed at the end
     * @param start when to begin
     * @param slice for how long
     * @return what was done here
     * @throws ExecutionException if the lock threw or did not return in time
     * @throws InterruptedException if the thread was interrupted
     */
    public static SliceLog workInTurn(
            LockUser user, Workload workload, boolean owner, TurnConnection other, long start, Duration slice)
            throws ExecutionException, InterruptedException {
        Worker worker = owner ? new OwnerTurns(user, workload, other) : new ForeignTurns(user, workload, other);
        return of(List.of(worker), start, slice);
    }

    /**
     * As arguments of an answer to another process.
     *
     * @return the costs, and some texts for each worker
     */
    public List<String> toArguments() {
        return Stream.concat(
                        Stream.of(Long.toString(cpuNanos), Long.toString(allocatedBytes)),
                        workers.stream().flatMap(worker -> worker.toArguments().stream()))
                .toList();
    }

    /**
     * From the arguments of an answer.
     *
     * @param arguments as {@link #toArguments} made them
     * @return the same logs
     */
    public static SliceLog ofArguments(List<String> arguments) {
        List<WorkerLog> workers = new ArrayList<>();
        for (int first = COSTS; first < arguments.size(); first += WorkerLog.ARGUMENTS) {
            workers.add(WorkerLog.ofArguments(arguments.subList(first, first + WorkerLog.ARGUMENTS)));
        }
        return new SliceLog(workers, Long.parseLong(arguments.get(0)), Long.parseLong(arguments.get(1)));
    }
}
