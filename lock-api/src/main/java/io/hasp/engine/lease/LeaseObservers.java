package io.hasp.engine.lease;

import io.hasp.engine.threads.LosslessExecutor;
import io.hasp.spi.LogQueue;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The observers of one lease. The machine notes the news in order. One thread at a time delivers them later, never the timer's: an observer
 * may block, and its executor may run it on the spot. Exceptions of an observer or its executor are logged.
 */
public final class LeaseObservers {
    private final List<Consumer<LeaseLife.State>> observers = new CopyOnWriteArrayList<>();
    /** News to deliver, and tasks to run after them. */
    private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean notifying = new AtomicBoolean();

    /** Runs the listener on the executor. */
    public static Consumer<LeaseLife.State> on(Executor executor, Consumer<LeaseLife.State> listener) {
        return state -> {
            try {
                executor.execute(() -> listener.accept(state));
            } catch (Throwable e) {
                LogQueue.log(System.Logger.Level.WARNING, "an observer of a lease could not be told " + state, e);
            }
        };
    }

    public void add(Consumer<LeaseLife.State> observer) {
        observers.add(observer);
    }

    /** Called by the machine, which decides the order. */
    public void note(LeaseLife.State state) {
        news.add(() -> observers.forEach(observer -> observer.accept(state)));
    }

    /** Runs the task after all earlier news, on the thread that delivers them. */
    void afterwards(Runnable task) {
        news.add(task);
    }

    /** Called outside of the machine. */
    public void deliver() {
        while (!news.isEmpty() && notifying.compareAndSet(false, true)) {
            try {
                for (Runnable next = news.poll(); next != null; next = news.poll()) {
                    LosslessExecutor.contained(next);
                }
            } finally {
                notifying.set(false);
            }
        }
    }
}
