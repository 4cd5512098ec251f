package io.hasp.evaluation.measure;

import io.hasp.conformance.LockUser;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** The side of the owner in {@link Turns}. It begins, and it ends the work of both. */
final class OwnerTurns implements Worker {
    private final LockCycles cycles;
    private final Turns turns;
    private final TurnConnection other;

    /** With the same sequence for all subjects. */
    private final Random random = new Random(1);

    OwnerTurns(LockUser user, Workload workload, TurnConnection other) {
        this.cycles = new LockCycles(user, workload, 0);
        this.turns = workload.experiment().turns().orElseThrow();
        this.other = other;
    }

    @Override
    public void prepare() throws Exception {
        cycles.takeEachFirst();
    }

    @Override
    public void work(long end, BooleanSupplier abandoned) throws Exception {
        try (other) {
            boolean both = true;
            for (int lock = 0; both && System.nanoTime() - end < 0 && !abandoned.getAsBoolean(); ) {
                turn(lock, end);
                // If the other process has ended, it reports the reason itself.
                both = random.nextDouble() >= turns.demand() || other.passTo(lock);
                lock = lock + 1 == cycles.locks() ? 0 : lock + 1;
            }
        }
    }

    private void turn(int lock, long end) throws Exception {
        for (int use = 0; use < turns.inARow(); use++) {
            if (turns.ownerTimed()) {
                cycles.cycle(lock, System.nanoTime(), end);
            } else {
                cycles.use(lock);
            }
        }
    }

    @Override
    public WorkerLog log() {
        return cycles.log();
    }
}
