package io.hasp;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs the steps of a blocking acquisition on the thread that waits for it: no hand-over to a pool and back on the way to
 * a free lock, and a backend that blocks, blocks the one who asked to block. An interrupt is taken before each step, so
 * that one which is only to be kept for later does not disturb a client library.
 */
final class CallerTurns implements Executor {
    private final Thread caller = Thread.currentThread();
    private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();

    @Override
    public void execute(Runnable step) {
        steps.add(step);
        LockSupport.unpark(caller);
    }

    /**
     * Runs steps until the result is there.
     *
     * @param onFirstRest run once, when there is no step to take for the first time, and no result yet
     */
    void runUntil(CompletableFuture<?> result, boolean interruptibly, Runnable onFirstRest)
            throws InterruptedException {
        if (result.isDone()) {
            return;
        }
        result.whenComplete((value, failure) -> LockSupport.unpark(caller));
        boolean interrupted = false;
        boolean rested = false;
        try {
            while (!result.isDone()) {
                if (Thread.interrupted()) {
                    interrupted = true;
                    if (interruptibly) {
                        throw new InterruptedException();
                    }
                }
                Runnable step = steps.poll();
                if (step != null) {
                    step.run();
                } else if (!rested) {
                    rested = true;
                    onFirstRest.run();
                } else if (!result.isDone()) {
                    LockSupport.park(this);
                }
            }
        } finally {
            if (interrupted && !interruptibly) {
                caller.interrupt();
            }
        }
    }
}
