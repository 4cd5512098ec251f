package io.hasp.simulator.clients;

import io.hasp.simulator.threads.SimulatedThreads;
import io.hasp.simulator.threads.ThreadRole;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** A pool of one client. Its threads take a task each when the scheduler says so, as long as the others leave one free. */
public final class SimulatedPool implements Executor {
    public final ThreadRole role;
    private final SimulatedThreads threads;
    private final int most;
    private final List<Runnable> tasks = new ArrayList<>();

    SimulatedPool(SimulatedThreads threads, ThreadRole role, int most) {
        this.threads = threads;
        this.role = role;
        this.most = most;
    }

    @Override
    public void execute(Runnable task) {
        threads.handsOver(role);
        tasks.add(task);
        threads.preempts();
    }

    public int size() {
        return tasks.size();
    }

    /** True if there is a task and a free thread. */
    public boolean ready() {
        return !tasks.isEmpty() && threads.suspended(this) < most;
    }

    public Runnable take(int index) {
        return tasks.remove(index);
    }
}
