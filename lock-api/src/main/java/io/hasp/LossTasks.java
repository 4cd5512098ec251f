package io.hasp;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What is to be done if a lease is cut short: a task for each work that runs under it at present. Thread-safe. */
final class LossTasks {
    private final Set<Runnable> tasks = new LinkedHashSet<>();
    private boolean watched;
    private boolean cutShort;

    /**
     * Adds a task, or runs it if the lease was cut short.
     *
     * @return whether it is the first one, so that the end of the lease is to be watched from now on
     */
    boolean add(Runnable task) {
        boolean first;
        synchronized (this) {
            first = !watched;
            watched = true;
            if (!cutShort) {
                tasks.add(task);
                return first;
            }
        }
        task.run();
        return first;
    }

    /** The work has ended. The task may be running at this moment. */
    synchronized void remove(Runnable task) {
        tasks.remove(task);
    }

    /** The innermost work is stopped first. */
    void cutShort() {
        List<Runnable> all;
        synchronized (this) {
            cutShort = true;
            all = List.copyOf(tasks);
            tasks.clear();
        }
        for (int i = all.size() - 1; i >= 0; i--) {
            all.get(i).run();
        }
    }
}
