package io.hasp.redis.redlock;

import io.hasp.redis.blocking.StackReserve;
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
 * <p>Who waits for a fan waits for other threads and not for a node, and each of those is done after a few node timeouts; so the
 * wait has no limit of its own. A crowd is not an outage, and in an outage nobody uses a fan for long.
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
    private final List<NodeSockets> fans = new ArrayList<>();
    private final AtomicBoolean tidying = new AtomicBoolean();
    private volatile boolean closed;

    public NodeSocketsPool(List<RedlockNode> nodes, Duration timeout, BackendContext context) {
        this.timeout = timeout;
        this.context = context;
        for (int i = 0; i < MOST; i++) {
            fans.add(new NodeSockets(nodes, timeout));
        }
    }

    /**
     * Does something with a fan of its own; fails with {@link io.hasp.spi.BackendFailure} once this is closed. An interrupt is
     * kept for later: a release that it would break off leaves the lock taken for the rest of its lease.
     */
    public <T> T with(Function<NodeSockets, T> work) {
        StackReserve.require();
        inUse.acquireUninterruptibly();
        NodeSockets fan = null;
        try {
            if (closed) {
                throw RedisFailures.unreachable("the nodes", new SocketException("closed"));
            }
            fan = take();
            return work.apply(fan);
        } finally {
            giveBack(fan);
        }
    }

    /** There are as many as may be in use. */
    private NodeSockets take() {
        while (true) {
            for (NodeSockets fan : fans) {
                if (fan.take()) {
                    return fan;
                }
            }
            Thread.onSpinWait(); // Another thread is between its fan and its permit.
        }
    }

    private void giveBack(@Nullable NodeSockets fan) {
        boolean awaits = false;
        try {
            awaits = fan != null && fan.tidy();
        } finally {
            if (fan != null) {
                fan.giveBack();
            }
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
            boolean scheduled = false;
            try {
                context.timing().schedule(timeout, this::tidySoon);
                scheduled = true;
            } finally {
                if (!scheduled) {
                    tidying.set(false);
                }
            }
        }
    }

    private void tidySoon() {
        tidying.set(false);
        try {
            context.executor().execute(this::tidy);
        } catch (RejectedExecutionException e) {
            // The client is closing; otherwise whoever uses the fan next looks.
        }
    }

    private void tidy() {
        boolean awaits = false;
        for (NodeSockets fan : fans) {
            if (inUse.tryAcquire()) {
                try {
                    if (fan.take()) {
                        try {
                            awaits |= fan.tidy();
                        } finally {
                            fan.giveBack();
                        }
                    }
                } finally {
                    inUse.release();
                }
            }
        }
        if (closed) {
            close();
        } else if (awaits) {
            tidyLater();
        }
    }

    /** Ends the idle sockets now, and each other one when it is given back. Idempotent. */
    public void close() {
        closed = true;
        for (NodeSockets fan : fans) {
            if (fan.take()) {
                try {
                    fan.close();
                } finally {
                    fan.giveBack();
                }
            }
        }
    }
}
