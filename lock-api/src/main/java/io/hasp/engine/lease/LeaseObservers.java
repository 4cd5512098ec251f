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
 * Who wants to know about one lease. The machine notes the news in its order; it is told
 * later, by one thread at a time and never by the timer's: an observer's executor may run it on the spot, and it may
 * block. What an observer or its executor throws is logged.
 */
public final class LeaseObservers {
    private final List<Consumer<LeaseLife.State>> observers = new CopyOnWriteArrayList<>();
    /** What is to be told, and what is to be done when that was told. */
    private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean telling = new AtomicBoolean();

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

    /** To be called by the machine, which decides the order. */
    public void note(LeaseLife.State state) {
        news.add(() -> observers.forEach(observer -> observer.accept(state)));
    }

    /** Runs the task when all that was noted before has been told, on the thread that tells it. */
    void afterwards(Runnable task) {
        news.add(task);
    }

    /** To be called outside of it. */
    public void tell() {
        while (!news.isEmpty() && telling.compareAndSet(false, true)) {
            try {
                for (Runnable next = news.poll(); next != null; next = news.poll()) {
                    LosslessExecutor.contained(next);
                }
            } finally {
                telling.set(false);
            }
        }
    }
}
