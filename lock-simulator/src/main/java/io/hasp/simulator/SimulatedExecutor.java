package io.hasp.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** The threads of one client: a task runs when the world takes it, and may be refused. */
final class SimulatedExecutor implements Executor {
    /** How a task that is handed over is taken. */
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
