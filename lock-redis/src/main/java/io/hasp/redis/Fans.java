package io.hasp.redis;

import io.hasp.spi.BackendContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A few {@link Fan}s for any number of threads; the one used last is used next. Thread-safe. */
final class Fans {
    private static final int MOST = 8;

    private final List<Node> nodes;
    private final Duration timeout;
    private final BackendContext context;
    private final BlockingDeque<Fan> idle = new LinkedBlockingDeque<>();
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicBoolean tidying = new AtomicBoolean();
    private volatile boolean closed;

    Fans(List<Node> nodes, Duration timeout, BackendContext context) {
        this.nodes = nodes;
        this.timeout = timeout;
        this.context = context;
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
        Fan fan = idle.pollFirst();
        if (fan != null) {
            return fan;
        }
        if (made.getAndUpdate(count -> Math.min(MOST, count + 1)) < MOST) {
            return new Fan(nodes, timeout);
        }
        try {
            fan = idle.pollFirst(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw notSent("interrupted");
        }
        if (fan == null) {
            throw notSent("no socket became free in time");
        }
        return fan;
    }

    private RuntimeException notSent(String why) {
        return Failures.unreachable(nodes.size() + " nodes", new IllegalStateException(why));
    }

    private void giveBack(Fan fan) {
        boolean awaits = fan.tidy();
        idle.addFirst(fan);
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
        for (int i = idle.size(); i > 0; i--) {
            Fan fan = idle.pollFirst();
            if (fan == null) {
                break;
            }
            awaits |= fan.tidy();
            idle.addLast(fan);
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
