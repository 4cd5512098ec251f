package io.hasp;

import io.hasp.spi.LogQueue;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
    private final Set<Thread> delivering = ConcurrentHashMap.newKeySet();

    Listener register(Executor executor, Consumer<LeaderChange> consumer) {
        Listener listener = new Listener(executor, consumer);
        listeners.add(listener);
        return listener;
    }

    void add(LeaderChange change) {
        listeners.forEach(listener -> listener.add(change));
    }

    void deliver() {
        Thread thread = Thread.currentThread();
        boolean outermost = delivering.add(thread);
        try {
            listeners.forEach(Listener::start);
        } finally {
            if (outermost) {
                delivering.remove(thread);
            }
        }
    }

    /** True in a listener that its executor runs on the spot: the change that it is notified of goes on only when it has returned. */
    boolean deliveredOnThisThread() {
        return delivering.contains(Thread.currentThread());
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

        /** One task for each change: an executor may drop a task without a word. */
        void start() {
            synchronized (this) {
                if (changes.isEmpty()) {
                    return;
                }
            }
            try {
                executor.execute(this::run);
            } catch (RuntimeException | Error refused) {
                LogQueue.log(Level.WARNING, "the executor of an election's listener refused its changes", refused);
                synchronized (this) {
                    changes.clear();
                }
            }
        }

        private void run() {
            LeaderChange change = first();
            while (change != null) {
                accept(change);
                change = next();
            }
        }

        /** Null if another thread delivers. */
        private synchronized @Nullable LeaderChange first() {
            return running ? null : next();
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
