package io.hasp.engine;

import io.hasp.engine.driver.SharedServices;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.RequestCombiner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a blocking call about several locks. It makes requests and takes the steps of the call itself while it waits, as
 * {@link WaitingCaller} does for one lock. The backend sends its requests together. If it can't, and requests block for longer than it takes
 * to wake a thread, threads of the client make the other requests at the same time.
 */
public final class SeveralCaller implements RequestExecutor, Executor {
    private final Thread caller = Thread.currentThread();
    private final SharedServices services;
    /** Null if the backend has none. */
    private final @Nullable RequestCombiner combiner;
    /** Makes requests that the caller has not begun; null if the caller makes all of them. */
    private final @Nullable RequestExecutor others;

    private final Queue<Request> requests = new ArrayDeque<>();
    private final Queue<Runnable> steps = new ArrayDeque<>();
    /** True while a thread is being woken to make requests. */
    private boolean waking;

    private boolean left;

    /** A call of the present thread. A program's own executor makes no request for it: that executor may never run one. */
    SeveralCaller(SharedServices services) {
        this.services = services;
        combiner = services.backend.combiner().orElse(null);
        others = combiner == null && services.threads.ownPools() ? services.pool : null;
    }

    @Override
    public boolean blocks() {
        return true;
    }

    @Override
    public RequestExecutor part() {
        return new Part();
    }

    /** The requests for one lock. Their end does not end the call. */
    private final class Part implements RequestExecutor {
        private boolean partLeft;

        @Override
        public boolean blocks() {
            return true;
        }

        @Override
        public void execute(Request request) {
            SeveralCaller.this.execute(new PartRequest(this, request), this);
        }

        @Override
        public void leave() {
            List<Request> dropped = new ArrayList<>();
            synchronized (SeveralCaller.this) {
                partLeft = true;
                requests.removeIf(request ->
                        request instanceof PartRequest ofPart && ofPart.part == this && dropped.add(request));
            }
            dropped.forEach(Request::drop);
        }
    }

    private record PartRequest(Part part, Request request) implements Request {
        @Override
        public void run() {
            request.run();
        }

        @Override
        public void drop() {
            request.drop();
        }
    }

    @Override
    public void execute(Request request) {
        execute(request, null);
    }

    private void execute(Request request, @Nullable Part part) {
        boolean late;
        boolean first;
        synchronized (this) {
            late = left || (part != null && part.partLeft);
            first = requests.isEmpty();
            if (!late) {
                requests.add(request);
            }
        }
        if (late) {
            request.drop();
        } else if (first) {
            wake();
        } else {
            wakeAnother();
        }
    }

    /** Wakes a thread for a request that waits. That thread wakes the next one, if requests still wait by then. */
    private void wakeAnother() {
        if (others != null && wakes()) {
            others.execute(new FurtherRequests());
        }
    }

    private synchronized boolean wakes() {
        boolean now = !waking && !requests.isEmpty();
        waking |= now;
        return now;
    }

    /** Takes a step of the call, which never blocks. Steps that come after the call are not taken. */
    @Override
    public void execute(Runnable step) {
        synchronized (this) {
            if (left) {
                return;
            }
            steps.add(step);
        }
        wake();
    }

    private void wake() {
        if (Thread.currentThread() != caller) {
            LockSupport.unpark(caller);
        }
    }

    /** Makes requests that the caller has not begun. */
    private final class FurtherRequests implements Request {
        @Override
        public void run() {
            Request next = awake();
            wakeAnother();
            makeAll(next);
        }

        @Override
        public void drop() {
            // The caller makes it.
        }
    }

    private synchronized @Nullable Request awake() {
        waking = false;
        return requests.poll();
    }

    private synchronized @Nullable Request nextRequest() {
        return requests.poll();
    }

    private synchronized @Nullable Runnable nextStep() {
        return steps.poll();
    }

    private synchronized boolean isEmpty() {
        return requests.isEmpty() && steps.isEmpty();
    }

    /** Drops the requests that it has not made, and each later one. */
    @Override
    public void leave() {
        Queue<Request> dropped;
        synchronized (this) {
            left = true;
            dropped = new ArrayDeque<>(requests);
            requests.clear();
            steps.clear();
        }
        dropped.forEach(Request::drop);
    }

    /**
     * Makes requests and takes steps until the result is there.
     *
     * @param help helps the drivers of the locks, which may be waiting for this very thread
     * @param onFirstRest run at the first moment without a request, a step or a result
     */
    public void runUntil(CompletableFuture<?> result, boolean interruptibly, Runnable help, Runnable onFirstRest)
            throws InterruptedException {
        boolean interrupted = false;
        boolean rested = false;
        result.whenComplete((value, failure) -> wake());
        try {
            while (!result.isDone()) {
                if (Thread.interrupted()) {
                    interrupted = true;
                    if (interruptibly) {
                        throw new InterruptedException();
                    }
                }
                if (!goesOn() && !result.isDone()) {
                    if (!rested) {
                        rested = true;
                        onFirstRest.run();
                    }
                    help.run();
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

    private boolean goesOn() {
        Runnable step = nextStep();
        if (step != null) {
            step.run();
            return true;
        }
        RequestCombiner together = combiner;
        if (together != null && severalRequests()) {
            services.guarded(() -> together.combine(() -> makeAll(nextRequest())));
            return true;
        }
        Request request = nextRequest();
        if (request != null) {
            request.run();
        }
        return request != null;
    }

    private synchronized boolean severalRequests() {
        return requests.size() > 1;
    }

    private void makeAll(@Nullable Request first) {
        Request next = first;
        while (next != null) {
            next.run();
            next = nextRequest();
        }
    }
}
