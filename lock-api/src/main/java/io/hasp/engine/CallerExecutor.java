package io.hasp.engine;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs the requests of a blocking call on the thread that waits for it: no hand-over to a pool and back on the way to
 * a free lock, and a backend that blocks, blocks the one who asked to block. An interrupt is taken before each of them, so
 * that one which is only to be kept for later does not disturb a client library.
 */
public final class CallerExecutor implements RequestExecutor {
    private final Thread caller = Thread.currentThread();
    /** Most calls make one request at a time. */
    private @Nullable Request first;

    private @Nullable Queue<Request> others;
    private boolean left;

    /** For calls of the present thread. */
    public CallerExecutor() {}

    @Override
    public boolean blocks() {
        return true;
    }

    @Override
    public void execute(Request request) {
        boolean late;
        synchronized (this) {
            late = left;
            if (!late && first == null) {
                first = request;
            } else if (!late) {
                others = others == null ? new ArrayDeque<>() : others;
                others.add(request);
            }
        }
        if (late) {
            request.drop();
        } else if (Thread.currentThread() != caller) {
            LockSupport.unpark(caller);
        }
    }

    private synchronized @Nullable Request next() {
        Request next = first;
        first = others == null ? null : others.poll();
        return next;
    }

    private synchronized boolean isEmpty() {
        return first == null;
    }

    /** Those that it did not make are dropped, and so is every later one. */
    @Override
    public void leave() {
        synchronized (this) {
            left = true;
        }
        for (Request request = next(); request != null; request = next()) {
            request.drop();
        }
    }

    /**
     * Makes requests until the result is there.
     *
     * @param driver may be waiting for this very thread
     * @param calls fails the result if the client ends before it is there
     * @param onFirstRest run when there is no request to make for the first time, and no result yet
     */
    void runUntil(
            CompletableFuture<?> result,
            boolean interruptibly,
            LockDriver driver,
            UnansweredCalls calls,
            @Nullable Runnable onFirstRest)
            throws InterruptedException {
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
                Request request = next();
                if (request != null) {
                    request.run();
                } else {
                    if (!rested) {
                        rested = true;
                        rest(result, calls, onFirstRest);
                    }
                    driver.help(result);
                    if (isEmpty() && !result.isDone()) {
                        LockSupport.park(this);
                    }
                }
            }
        } finally {
            if (interrupted && !interruptibly) {
                caller.interrupt();
            }
        }
    }

    private void rest(CompletableFuture<?> result, UnansweredCalls calls, @Nullable Runnable onFirstRest) {
        result.whenComplete((value, failure) -> LockSupport.unpark(caller));
        calls.track(result);
        if (onFirstRest != null) {
            onFirstRest.run();
        }
    }
}
