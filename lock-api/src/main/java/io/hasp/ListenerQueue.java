package io.hasp;

import io.hasp.engine.Relay;
import io.hasp.spi.LogQueue;
import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What one listener is still to be told: in the order of the events, one at a time, on threads that nothing else of the engine
 * needs; one that never blocks, at once. What the listener throws is logged.
 */
final class ListenerQueue {
    private static final int MOST_IN_A_ROW = 64;

    private final LockListener listener;
    private final Executor executor;
    private final boolean nonBlocking;
    private final Queue<LockEvent> events = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean telling = new AtomicBoolean();

    ListenerQueue(LockListener listener, Executor executor) {
        this.listener = listener;
        this.executor = executor;
        this.nonBlocking = listener.isNonBlocking();
    }

    void tell(LockEvent event) {
        if (nonBlocking) {
            tellOne(event);
            return;
        }
        events.add(event);
        if (!telling.get()) {
            executor.execute(this::tellAll);
        }
    }

    /** After some events the thread makes room for other tasks: of a small executor it may be the only one. */
    private void tellAll() {
        do {
            int left = MOST_IN_A_ROW;
            while (left > 0 && !events.isEmpty() && telling.compareAndSet(false, true)) {
                left = tellSome(left);
            }
        } while (!events.isEmpty() && !telling.get() && !Relay.passesOn(executor, this::tellAll));
    }

    private int tellSome(int most) {
        int left = most;
        try {
            for (LockEvent event = poll(left); event != null; event = poll(left)) {
                tellOne(event);
                left--;
            }
        } finally {
            telling.set(false);
        }
        return left;
    }

    private @Nullable LockEvent poll(int left) {
        return left > 0 ? events.poll() : null;
    }

    private void tellOne(LockEvent event) {
        try {
            listener.onEvent(event);
        } catch (Throwable e) {
            LogQueue.log(Level.WARNING, "a lock listener failed", e);
        }
    }
}
