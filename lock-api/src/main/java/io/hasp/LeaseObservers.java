package io.hasp;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Who wants to know about one lease. The news is noted under the lease's monitor, where its order is decided, and told
 * outside of it, by one thread at a time and never by the timer's: an observer's executor may run it on the spot, and it may
 * block. What an observer or its executor throws is logged.
 */
final class LeaseObservers {
    private static final System.Logger LOG = System.getLogger("io.hasp");

    private final List<Consumer<LeaseState>> observers = new CopyOnWriteArrayList<>();
    private final Queue<LeaseState> news = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean telling = new AtomicBoolean();

    static Consumer<LeaseState> on(Executor executor, Consumer<LeaseState> listener) {
        return state -> {
            try {
                executor.execute(() -> listener.accept(state));
            } catch (Throwable e) {
                LOG.log(System.Logger.Level.WARNING, "an observer of a lease could not be told " + state, e);
            }
        };
    }

    void add(Consumer<LeaseState> observer) {
        observers.add(observer);
    }

    /** To be called under the lease's monitor. */
    void note(LeaseState state) {
        news.add(state);
    }

    /** To be called outside of it. */
    void tell() {
        while (!news.isEmpty() && telling.compareAndSet(false, true)) {
            try {
                for (LeaseState state = news.poll(); state != null; state = news.poll()) {
                    for (Consumer<LeaseState> observer : observers) {
                        observer.accept(state);
                    }
                }
            } finally {
                telling.set(false);
            }
        }
    }
}
