package io.hasp.evaluation.measure;

import io.hasp.conformance.LockUser;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;

/** The other process's side of {@link Turns}: it executes the owner's requests until the owner ends. */
final class ForeignTurns implements Worker {
    private final LockCycles cycles;
    private final Turns turns;
    private final TurnConnection owner;

    ForeignTurns(LockUser user, Workload workload, TurnConnection owner) {
        this.cycles = new LockCycles(user, workload, 0);
        this.turns = workload.experiment().turns().orElseThrow();
        this.owner = owner;
    }

    @Override
    public void prepare() {}

    @Override
    public void work(long end, BooleanSupplier abandoned) throws Exception {
        try (owner) {
            for (OptionalInt lock = owner.await();
                    lock.isPresent() && !abandoned.getAsBoolean();
                    lock = owner.await()) {
                cycles.cycle(lock.getAsInt(), System.nanoTime(), end);
                for (int use = 1; use < turns.inARow(); use++) {
                    cycles.use(lock.getAsInt());
                }
                owner.send(lock.getAsInt());
            }
        }
    }

    @Override
    public WorkerLog log() {
        return cycles.log();
    }
}
