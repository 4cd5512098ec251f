package io.hasp;

import io.hasp.engine.driver.Relay;
import io.hasp.engine.threads.UserThread;
import io.hasp.spi.LogQueue;
import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Delivers events to one listener: in their order, one at a time, on threads that the rest of the engine does not need. A listener that
 * never blocks is called on threads of callers: at once if the event happens there, else at the end of the next call, or after a moment.
 * Exceptions of the listener are logged.
 *
 * <p>At most {@value #MOST} events wait. Then further events are dropped until half of them are delivered, and the listener and the log
 * receive the number. Never blocks.
 */
final class ListenerQueue {
    static final int MOST = 10_000;
    private static final int MOST_IN_A_ROW = 64;
    /** The most events that wait for a caller. */
    private static final int MOST_AWAITING = 500;

    private final LockListener listener;
    private final Executor executor;
    /** Runs a task on the same executor, a moment later. */
    private final Executor soon;

    private final boolean nonBlocking;
    private final AtomicBoolean comesSoon = new AtomicBoolean();
    private final Queue<LockEvent> events = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean delivering = new AtomicBoolean();
    /** The number of events that wait or are being delivered. */
    private final AtomicInteger pending = new AtomicInteger();

    private final AtomicBoolean dropping = new AtomicBoolean();
    private final AtomicLong dropped = new AtomicLong();

    ListenerQueue(LockListener listener, Executor executor, Executor soon) {
        this.listener = listener;
        this.executor = executor;
        this.soon = soon;
        this.nonBlocking = listener.isNonBlocking();
    }

    boolean nonBlocking() {
        return nonBlocking;
    }

    void add(LockEvent event) {
        if (nonBlocking && pending.get() == 0 && UserThread.isCurrent()) {
            deliver(event);
            return;
        }
        if (drops()) {
            return;
        }
        int waiting = pending.incrementAndGet();
        events.add(event);
        if (nonBlocking && waiting < MOST_AWAITING) {
            if (comesSoon.compareAndSet(false, true)) {
                soon.execute(this::deliverAll);
            }
        } else if (!delivering.get()) {
            executor.execute(this::deliverAll);
        }
    }

    /** Delivers events at the end of a caller's call. */
    void deliverWaiting() {
        if (nonBlocking && pending.get() > 0) {
            deliverAll();
        }
    }

    private boolean drops() {
        if (!dropping.get()) {
            if (pending.get() < MOST) {
                return false;
            }
            if (dropping.compareAndSet(false, true)) {
                LogQueue.log(
                        Level.WARNING,
                        named() + " is too slow: " + MOST + " events wait for it, and further ones are dropped");
            }
        }
        dropped.incrementAndGet();
        return true;
    }

    /** Makes room for other tasks after some events: a small executor may have only this thread. */
    private void deliverAll() {
        comesSoon.set(false);
        do {
            int left = MOST_IN_A_ROW;
            while (left > 0 && !events.isEmpty() && delivering.compareAndSet(false, true)) {
                left = deliverSome(left);
            }
        } while (!events.isEmpty() && !delivering.get() && !Relay.passesOn(executor, this::deliverAll));
    }

    private int deliverSome(int most) {
        int left = most;
        try {
            for (LockEvent event = poll(left); event != null; event = poll(left)) {
                deliver(event);
                left--;
                if (pending.decrementAndGet() <= MOST / 2 && dropping.get()) {
                    goOn();
                }
            }
        } finally {
            delivering.set(false);
        }
        return left;
    }

    private @Nullable LockEvent poll(int left) {
        return left > 0 ? events.poll() : null;
    }

    private void goOn() {
        long lost = dropped.getAndSet(0);
        dropping.set(false);
        LogQueue.log(Level.WARNING, named() + " was too slow: " + lost + " events were dropped");
        contained(() -> listener.onDropped(lost));
    }

    private void deliver(LockEvent event) {
        contained(() -> listener.onEvent(event));
    }

    private static void contained(Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            LogQueue.log(Level.WARNING, "a lock listener failed", e);
        }
    }

    private String named() {
        return "the lock listener of " + listener.getClass();
    }
}
