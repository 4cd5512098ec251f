package io.hasp.redis;

import io.hasp.spi.BackendContext;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * A few {@link Fan}s for any number of threads, first come, first served; the fan used last is used next. Thread-safe.
 */
final class Fans {
    private static final int MOST = 8;
    /** Who waits for a fan waits for other threads, not for a node; a crowd is not an outage. */
    private static final int PATIENCE = 3;

    private final List<Node> nodes;
    private final Duration timeout;
    private final BackendContext context;
    private final Semaphore inUse = new Semaphore(MOST, true);
    private final Deque<Fan> idle = new ConcurrentLinkedDeque<>();
    private final AtomicBoolean tidying = new AtomicBoolean();
    private volatile boolean closed;

    Fans(List<Node> nodes, Duration timeout, BackendContext context) {
        this.nodes = nodes;
        this.timeout = timeout;
        this.context = context;
    }

    /** For how long {@link #with} may wait for a fan. */
    static Duration patience(Duration nodeTimeout) {
        return nodeTimeout.multipliedBy(PATIENCE);
    }

    /** Does something with a fan of its own; fails with {@link io.hasp.spi.BackendFailure} if none becomes free. */
    <T> T with(Function<Fan, T> work) {
        Fan fan = take();
        try {
            return work.apply(fan);
        } finally {
            giveBack(fan);
        }
    }

    private Fan take() {
        if (closed) {
            throw notSent("closed");
        }
        if (!mayUseOne()) {
            throw notSent("no socket became free in time");
        }
        Fan fan = idle.pollFirst();
        return fan != null ? fan : new Fan(nodes, timeout);
    }

    /** An interrupt is kept for later: a release that it would break off leaves the lock taken for the rest of its lease. */
    private boolean mayUseOne() {
        long deadline = System.nanoTime() + patience(timeout).toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return inUse.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private RuntimeException notSent(String why) {
        return Failures.unreachable(nodes.size() + " nodes", new IllegalStateException(why));
    }

    private void giveBack(Fan fan) {
        boolean awaits = false;
        try {
            awaits = fan.tidy();
        } finally {
            idle.addFirst(fan);
            inUse.release();
        }
        if (closed) {
            close();
        } else if (awaits) {
            tidyLater();
        }
    }

    /** Nobody waits for the slower nodes; so somebody has to look whether they replied at all. */
    private void tidyLater() {
        if (tidying.compareAndSet(false, true)) {
            context.timing().schedule(timeout, () -> {
                try {
                    context.executor().execute(this::tidy);
                } catch (RejectedExecutionException e) {
                    tidying.set(false);
                }
            });
        }
    }

    private void tidy() {
        tidying.set(false);
        boolean awaits = false;
        for (int i = 0; i < MOST && inUse.tryAcquire(); i++) {
            Fan fan = idle.pollFirst();
            if (fan != null) {
                awaits |= fan.tidy();
                idle.addLast(fan);
            }
            inUse.release();
        }
        if (closed) {
            close();
        } else if (awaits) {
            tidyLater();
        }
    }

    /** Ends the idle sockets now, and each other one when it is given back. Idempotent. */
    void close() {
        closed = true;
        for (Fan fan = idle.pollFirst(); fan != null; fan = idle.pollFirst()) {
            fan.close();
        }
    }
}
