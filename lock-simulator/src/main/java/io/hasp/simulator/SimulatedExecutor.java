package io.hasp.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** The executor of one client. A task runs when the scheduler takes it, and may be refused. */
final class SimulatedExecutor implements Executor {
    /** What the executor does with a new task. */
    enum Mode {
        TAKES,
        REJECTS,
        STARTS_NO_THREAD
    }

    private final List<Runnable> tasks = new ArrayList<>();
    Mode mode = Mode.TAKES;

    @Override
    public void execute(Runnable task) {
        switch (mode) {
            case TAKES -> tasks.add(task);
            case REJECTS -> throw new RejectedExecutionException("simulated");
            case STARTS_NO_THREAD -> throw new OutOfMemoryError("simulated: unable to create native thread");
        }
    }

    int size() {
        return tasks.size();
    }

    Runnable take(int index) {
        return tasks.remove(index);
    }
}
