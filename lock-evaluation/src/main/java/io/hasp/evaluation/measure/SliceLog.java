package io.hasp.evaluation.measure;

import io.hasp.conformance.LockUser;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** The logs of all workers of one process for one slice. It can be sent to another process. */
public final class SliceLog {
    private final List<WorkerLog> workers;

    SliceLog(List<WorkerLog> workers) {
        this.workers = List.copyOf(workers);
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
        return new SliceLog(WorkerGroup.work(clients, workload, start, slice));
    }

    /**
     * Sends it.
     *
     * @param out where
     * @throws IOException if that fails
     */
    public void write(DataOutputStream out) throws IOException {
        out.writeInt(workers.size());
        for (WorkerLog worker : workers) {
            worker.write(out);
        }
    }

    /**
     * Receives one.
     *
     * @param in where from
     * @return what {@link #write} sent
     * @throws IOException if that fails
     */
    public static SliceLog read(DataInputStream in) throws IOException {
        int count = in.readInt();
        List<WorkerLog> workers = new ArrayList<>();
        for (int worker = 0; worker < count; worker++) {
            workers.add(WorkerLog.read(in));
        }
        return new SliceLog(workers);
    }
}
