package io.hasp.evaluation.measure;

import io.hasp.conformance.LockUser;
import java.util.function.BooleanSupplier;

/** One cycle right after the other, with each of the thread's locks in turn. */
final class ClosedLoop implements Worker {
    private final LockCycles cycles;

    ClosedLoop(LockUser user, Workload workload, int thread) {
        cycles = new LockCycles(user, workload, thread);
    }

    @Override
    public void prepare() throws Exception {
        cycles.takeEachFirst();
    }

    @Override
    public void work(long end, BooleanSupplier abandoned) throws Exception {
        for (long begin = System.nanoTime(); begin - end < 0 && !abandoned.getAsBoolean(); begin = System.nanoTime()) {
            cycles.cycle(cycles.next(), begin, end);
        }
    }

    @Override
    public WorkerLog log() {
        return cycles.log();
    }
}
