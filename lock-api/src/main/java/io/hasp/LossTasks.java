package io.hasp;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** Stops the work under a lease that is cut short: one task for each work that runs under it at present. Thread-safe. */
final class LossTasks {
    /** Stops one work, on an executor: interrupts a thread, or cancels a future. */
    static final class Task {
        private final Executor executor;
        private final Runnable stop;
        private final boolean interrupts;
        /** True once the end of the client has interrupted it. The leases of several locks share a task. */
        private boolean interrupted;

        Task(Executor executor, Runnable stop, boolean interrupts) {
            this.executor = executor;
            this.stop = stop;
            this.interrupts = interrupts;
        }

        private void run(Runnable then) {
            executor.execute(() -> {
                try {
                    stop.run();
                } finally {
                    then.run();
                }
            });
        }
    }

    private final Set<Task> tasks = new LinkedHashSet<>();
    private boolean watched;
    private boolean cutShort;

    /**
     * Adds a task, or runs it if the lease was cut short.
     *
     * @return true for the first task, so that the end of the lease is to be watched from now on
     */
    boolean add(Task task) {
        boolean first;
        synchronized (this) {
            first = !watched;
            watched = true;
            if (!cutShort) {
                tasks.add(task);
                return first;
            }
        }
        task.run(() -> {});
        return first;
    }

    /** Notes that the ends of several leases are watched, which share these tasks. */
    synchronized void watch() {
        watched = true;
    }

    synchronized boolean watched() {
        return watched;
    }

    /** Removes the task of work that has ended. The task may be running at this moment. */
    synchronized void remove(Task task) {
        tasks.remove(task);
    }

    /**
     * Interrupts the threads that work, once each, although the lease is held; a later loss interrupts them again. Only a loss cancels a future: its
     * cancellation would complete it and release the lease, while its work may go on.
     *
     * @return true if it has interrupted a thread
     */
    boolean interrupt() {
        List<Task> threads;
        synchronized (this) {
            threads = tasks.stream()
                    .filter(task -> task.interrupts && !task.interrupted)
                    .toList();
            threads.forEach(task -> task.interrupted = true);
        }
        for (int i = threads.size() - 1; i >= 0; i--) {
            threads.get(i).run(() -> {});
        }
        return !threads.isEmpty();
    }

    /** Stops the innermost work first; runs {@code stopped} when each task has run. */
    void cutShort(Runnable stopped) {
        List<Task> all;
        synchronized (this) {
            cutShort = true;
            all = List.copyOf(tasks);
            tasks.clear();
        }
        AtomicInteger left = new AtomicInteger(all.size());
        for (int i = all.size() - 1; i >= 0; i--) {
            all.get(i).run(() -> {
                if (left.decrementAndGet() == 0) {
                    stopped.run();
                }
            });
        }
        if (all.isEmpty()) {
            stopped.run();
        }
    }
}
