package io.hasp;

import io.hasp.spi.LogQueue;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the changes of one election to its listeners: to each in order, one at a time, on its own executor. Never calls an executor
 * while the caller holds a monitor: {@link #add} only queues, and {@link #deliver} starts. Thread-safe.
 */
final class ChangeListeners {
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    Listener register(Executor executor, Consumer<LeaderChange> consumer) {
        Listener listener = new Listener(executor, consumer);
        listeners.add(listener);
        return listener;
    }

    void add(LeaderChange change) {
        listeners.forEach(listener -> listener.add(change));
    }

    void deliver() {
        listeners.forEach(Listener::start);
    }

    final class Listener implements Registration {
        private final Executor executor;
        private final Consumer<LeaderChange> consumer;
        private final Queue<LeaderChange> changes = new ArrayDeque<>();
        private boolean running;
        private volatile boolean closed;

        private Listener(Executor executor, Consumer<LeaderChange> consumer) {
            this.executor = executor;
            this.consumer = consumer;
        }

        synchronized void add(LeaderChange change) {
            changes.add(change);
        }

        void start() {
            synchronized (this) {
                if (running || changes.isEmpty()) {
                    return;
                }
                running = true;
            }
            try {
                executor.execute(this::run);
            } catch (RuntimeException | Error refused) {
                LogQueue.log(Level.WARNING, "the executor of an election's listener refused its changes", refused);
                synchronized (this) {
                    running = false;
                    changes.clear();
                }
            }
        }

        private void run() {
            LeaderChange change = next();
            while (change != null) {
                accept(change);
                change = next();
            }
        }

        private synchronized @Nullable LeaderChange next() {
            LeaderChange next = closed ? null : changes.poll();
            running = next != null;
            return next;
        }

        private void accept(LeaderChange change) {
            try {
                consumer.accept(change);
            } catch (Throwable e) {
                LogQueue.log(
                        Level.WARNING,
                        "a listener of election '" + change.term().name() + "' failed",
                        e);
            }
        }

        @Override
        public void close() {
            closed = true;
            listeners.remove(this);
        }
    }
}
