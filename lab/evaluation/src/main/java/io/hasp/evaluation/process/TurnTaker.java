package io.hasp.evaluation.process;

import io.hasp.conformance.LockUser;
import io.hasp.evaluation.measure.SliceLog;
import io.hasp.evaluation.measure.TurnConnection;
import io.hasp.evaluation.measure.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Alternates with another process: as the owner, to which the other process connects, or as the other process. */
final class TurnTaker {
    private TurnConnection.@Nullable Listener listener;

    /** Returns the port for the other process. */
    int listen() throws IOException {
        listener = TurnConnection.Listener.open();
        return listener.port();
    }

    /** After {@link #listen}. */
    SliceLog workAsOwner(LockUser user, Workload workload, long start, Duration slice)
            throws IOException, ExecutionException, InterruptedException {
        TurnConnection other = Objects.requireNonNull(listener).accept();
        return SliceLog.workInTurn(user, workload, true, other, start, slice);
    }

    SliceLog workAsOther(LockUser user, Workload workload, int port, long start, Duration slice)
            throws IOException, ExecutionException, InterruptedException {
        return SliceLog.workInTurn(user, workload, false, TurnConnection.to(port), start, slice);
    }
}
