package io.hasp.redis.redlock;

import io.hasp.redis.blocking.ExceptionSafe;
import io.hasp.redis.script.RedisFailures;
import io.hasp.spi.BackendContext;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A few {@link NodeSockets}s for any number of threads, first come, first served. Thread-safe.
 *
 * <p>A thread that waits here waits for other threads and not for a node, and each of those is done after a few node timeouts;
 * so the wait has no limit of its own. Contention is not an outage, and in an outage no thread keeps its sockets for long.
 */
public final class NodeSocketsPool {
    /**
     * More than processors: their threads mostly wait, and a node that has several requests to read at once wakes less often. Only
     * as many connect as are in use at the same time.
     */
    public static final int MOST = 16;

    private final Duration timeout;
    private final BackendContext context;
    private final Semaphore inUse = new Semaphore(MOST, true);
    private final List<NodeSockets> pool = new ArrayList<>();
    private final AtomicBoolean tidying = new AtomicBoolean();
    private volatile boolean closed;

    public NodeSocketsPool(List<RedlockNode> nodes, Duration timeout, BackendContext context) {
        this.timeout = timeout;
        this.context = context;
        for (int i = 0; i < MOST; i++) {
            pool.add(new NodeSockets(nodes, timeout));
        }
    }

    /**
     * Runs work with sockets that no other thread uses at the same time; fails with {@link io.hasp.spi.BackendFailure} once this is
     * closed. An interrupt is kept for later: a release that it would break off leaves the lock taken for the rest of its lease.
     */
    public <T> T with(Function<NodeSockets, T> work) {
        inUse.acquireUninterruptibly();
        NodeSockets sockets = null;
        try {
            if (closed) {
                throw RedisFailures.unreachable("the nodes", new SocketException("closed"));
            }
            sockets = take();
            tidyLater();
            return work.apply(sockets);
        } finally {
            giveBack(sockets);
        }
    }

    /** There are as many as may be in use. */
    private NodeSockets take() {
        while (true) {
            for (NodeSockets sockets : pool) {
                if (sockets.take()) {
                    return sockets;
                }
            }
            Thread.onSpinWait(); // Another thread has a permit without sockets, or sockets without a permit, for a
            // moment.
        }
    }

    private void giveBack(@Nullable NodeSockets sockets) {
        try {
            if (sockets != null) {
                sockets.tidy();
            }
        } finally {
            if (sockets != null) {
                sockets.giveBack();
            }
            inUse.release();
        }
        if (closed) {
            close();
        }
    }

    /**
     * No call waits for the slower nodes. So a timer checks whether they replied at all, and whether a thread is stuck in a write. If
     * the timer can't be set, the next thread that uses the sockets tries again: this call does not fail.
     */
    private void tidyLater() {
        if (!tidying.get() && tidying.compareAndSet(false, true)) {
            try {
                context.timing().schedule(timeout, this::tidySoon);
            } catch (RuntimeException | Error e) {
                tidying.set(false);
            }
        }
    }

    /** On the thread of the timers: all others may be those that are stuck. */
    private void tidySoon() {
        tidying.set(false);
        pool.forEach(NodeSockets::cutStuckWrites);
        try {
            context.executor().execute(this::tidy);
        } catch (RejectedExecutionException e) {
            // The client is closing; otherwise the next thread that uses the sockets looks.
        }
    }

    private void tidy() {
        AtomicBoolean again = new AtomicBoolean();
        try {
            ExceptionSafe.forEach(pool, sockets -> {
                if (busy(sockets)) {
                    again.set(true);
                }
            });
        } finally {
            if (closed) {
                close();
            } else if (again.get()) {
                tidyLater();
            }
        }
    }

    /** True if the sockets need another look: they await replies, or a thread uses them. */
    private boolean busy(NodeSockets sockets) {
        if (!inUse.tryAcquire()) {
            return true;
        }
        try {
            if (!sockets.take()) {
                return true;
            }
            try {
                return sockets.tidy();
            } finally {
                sockets.giveBack();
            }
        } finally {
            inUse.release();
        }
    }

    /** Ends the idle sockets now, and each other one when it is given back. Idempotent. */
    public void close() {
        closed = true;
        ExceptionSafe.forEach(pool, NodeSocketsPool::close);
    }

    private static void close(NodeSockets sockets) {
        if (!sockets.take()) {
            sockets.cutStuckWrites();
            return;
        }
        try {
            sockets.close();
        } finally {
            sockets.giveBack();
        }
    }
}
