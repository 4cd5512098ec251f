package io.hasp;

import io.hasp.spi.LogQueue;
import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What one listener is still to be told: in the order of the events, one at a time, on threads that nothing else of the engine
 * needs; one that never blocks, at once. What the listener throws is logged.
 */
final class ListenerQueue {
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

    private void tellAll() {
        while (!events.isEmpty() && telling.compareAndSet(false, true)) {
            try {
                for (LockEvent event = events.poll(); event != null; event = events.poll()) {
                    tellOne(event);
                }
            } finally {
                telling.set(false);
            }
        }
    }

    private void tellOne(LockEvent event) {
        try {
            listener.onEvent(event);
        } catch (Throwable e) {
            LogQueue.log(Level.WARNING, "a lock listener failed", e);
        }
    }
}
