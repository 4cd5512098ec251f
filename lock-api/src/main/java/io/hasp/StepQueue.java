package io.hasp;

import io.hasp.engine.threads.LosslessExecutor;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs tasks one at a time and in their order, on threads of another executor. A task that adds one does not nest it. */
final class StepQueue implements Executor {
    private final Executor threads;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    StepQueue(Executor threads) {
        this.threads = threads;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (waiting.getAndIncrement() == 0) {
            threads.execute(this::runAll);
        }
    }

    /** Like {@link #execute}, on the calling thread if no task is running. */
    void executeHere(Runnable task) {
        tasks.add(task);
        if (waiting.getAndIncrement() == 0) {
            runAll();
        }
    }

    private void runAll() {
        do {
            Runnable next = tasks.poll();
            if (next != null) {
                LosslessExecutor.contained(next);
            }
        } while (waiting.decrementAndGet() > 0);
    }
}
