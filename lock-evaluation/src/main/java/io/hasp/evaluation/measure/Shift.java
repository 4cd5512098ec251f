package io.hasp.evaluation.measure;

import io.hasp.conformance.LockUser;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** What the threads of one process did in one slice of time, whole: it can be sent to another process. */
public final class Shift {
    private final List<LaneLog> lanes;

    Shift(List<LaneLog> lanes) {
        this.lanes = List.copyOf(lanes);
    }

    List<LaneLog> lanes() {
        return lanes;
    }

    /**
     * Works in this process.
     *
     * @param clients one that all threads share, or one for each
     * @param workload the work
     * @param start when to begin on {@link System#nanoTime}, which the processes of one machine share
     * @param slice for how long
     * @return what was done
     * @throws ExecutionException if the lock threw or never came back
     * @throws InterruptedException if the thread was interrupted
     */
    public static Shift work(List<LockUser> clients, Workload workload, long start, Duration slice)
            throws ExecutionException, InterruptedException {
        return new Shift(Crew.work(clients, workload, start, slice));
    }

    /**
     * Sends it.
     *
     * @param out where
     * @throws IOException if that fails
     */
    public void write(DataOutputStream out) throws IOException {
        out.writeInt(lanes.size());
        for (LaneLog lane : lanes) {
            lane.write(out);
        }
    }

    /**
     * Receives one.
     *
     * @param in where from
     * @return what {@link #write} sent
     * @throws IOException if that fails
     */
    public static Shift read(DataInputStream in) throws IOException {
        int count = in.readInt();
        List<LaneLog> lanes = new ArrayList<>();
        for (int lane = 0; lane < count; lane++) {
            lanes.add(LaneLog.read(in));
        }
        return new Shift(lanes);
    }
}
