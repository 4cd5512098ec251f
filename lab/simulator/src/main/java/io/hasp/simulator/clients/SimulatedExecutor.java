package io.hasp.simulator.clients;

import io.hasp.simulator.threads.SimulatedThreads;
import io.hasp.simulator.world.ChoiceSequence;
import io.hasp.simulator.world.Configuration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** The program's executor for one client. A task runs when the scheduler takes it, or on the spot, and may be refused. */
public final class SimulatedExecutor implements Executor {
    /** The executor's treatment of a new task. */
    public enum Mode {
        TAKES,
        REJECTS,
        STARTS_NO_THREAD,
        /** Only where threads are simulated, as is the next one. */
        RUNS_ON_THE_SPOT,
        BLOCKS;

        private static final Mode[] AT_A_STRETCH = {TAKES, REJECTS, STARTS_NO_THREAD};

        public static Mode of(ChoiceSequence choices, Configuration configuration) {
            Mode[] all = configuration.hasThreads() ? values() : AT_A_STRETCH;
            return all[choices.below(all.length)];
        }
    }

    private final SimulatedThreads threads;
    private final Runnable whenBlocked;
    private final List<Runnable> tasks = new ArrayList<>();
    private int blocked;
    public Mode mode = Mode.TAKES;

    SimulatedExecutor(SimulatedThreads threads, Runnable whenBlocked) {
        this.threads = threads;
        this.whenBlocked = whenBlocked;
    }

    @Override
    public void execute(Runnable task) {
        threads.userCode("the executor");
        switch (mode) {
            case TAKES -> tasks.add(task);
            case REJECTS -> throw new RejectedExecutionException("simulated");
            case STARTS_NO_THREAD -> throw new OutOfMemoryError("simulated: unable to create native thread");
            case RUNS_ON_THE_SPOT -> task.run();
            case BLOCKS -> {
                block();
                tasks.add(task);
            }
        }
        threads.preempts();
    }

    private void block() {
        blocked++;
        try {
            threads.perhapsBlocks("the executor");
        } finally {
            blocked--;
            whenBlocked.run();
        }
    }

    /** True if every task is taken at once. */
    public boolean isQuick() {
        return mode == Mode.TAKES && blocked == 0;
    }

    public int size() {
        return tasks.size();
    }

    public Runnable take(int index) {
        return tasks.remove(index);
    }
}
