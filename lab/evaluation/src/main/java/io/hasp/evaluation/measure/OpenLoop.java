package io.hasp.evaluation.measure;

import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Serves requests that arrive on a schedule of their own, which all threads share. A wait counts from the arrival, even
 * if all threads are busy, so that no slow request hides those behind it (coordinated omission). A request that has not
 * begun one slice's length after the slice's end counts with its age at that moment.
 */
final class OpenLoop implements Worker {
    private final LockCycles cycles;
    private final Arrivals arrivals;
    private final long slice;

    OpenLoop(LockUser user, Workload workload, int thread, Arrivals arrivals, Duration slice) {
        this.cycles = new LockCycles(user, workload, thread);
        this.arrivals = arrivals;
        this.slice = slice.toNanos();
    }

    @Override
    public void prepare() throws Exception {
        cycles.takeEachFirst();
    }

    @Override
    public void work(long end, BooleanSupplier abandoned) throws Exception {
        for (long after = arrivals.next(); after < slice && !abandoned.getAsBoolean(); after = arrivals.next()) {
            long arrival = end - slice + after;
            long now = System.nanoTime();
            while (now - arrival < 0) {
                LockSupport.parkNanos(arrival - now);
                now = System.nanoTime();
            }
            if (now - end < slice) {
                cycles.cycle(cycles.next(), arrival, end);
            } else {
                cycles.missed(now - arrival);
            }
        }
    }

    @Override
    public WorkerLog log() {
        return cycles.log();
    }
}
