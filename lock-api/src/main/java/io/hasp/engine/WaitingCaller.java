package io.hasp.engine;

import io.hasp.engine.driver.LockDriver;
import io.hasp.engine.driver.UnansweredCalls;
import io.hasp.engine.threads.RequestExecutor;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a blocking call, which makes its requests itself while it waits. A free lock costs no change of threads, and a blocking
 * backend blocks only the caller that asked to block.
 *
 * <p>An interrupt ends an interruptible wait with {@link InterruptedException}. Any other wait goes on, and the thread is interrupted again
 * at its end. The interrupt is cleared before each request, so that it does not disturb a client library.
 */
public final class WaitingCaller implements RequestExecutor {
    private final Thread caller = Thread.currentThread();
    /** Most calls make one request at a time. */
    private @Nullable Request first;

    private @Nullable Queue<Request> others;
    private boolean left;

    /** For calls of the present thread. */
    public WaitingCaller() {}

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

    /** Drops the requests that it has not made, and each later one. */
    @Override
    public void leave() {
        Request dropped;
        Queue<Request> more;
        synchronized (this) {
            left = true;
            dropped = first;
            more = others;
            first = null;
            others = null;
        }
        if (dropped != null) {
            dropped.drop();
        }
        if (more != null) {
            more.forEach(Request::drop);
        }
    }

    /**
     * Makes requests until the result is there.
     *
     * @param driver the driver that may be waiting for this very thread
     * @param calls fails the result if the client ends before it is there
     * @param onFirstRest run at the first moment without a request or a result
     */
    public void runUntil(
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
