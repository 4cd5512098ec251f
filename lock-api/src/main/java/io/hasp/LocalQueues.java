package io.hasp;

import io.hasp.spi.LockName;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The local queues of one client, one per name for as long as somebody uses it, or something that was asked is not answered:
 * idle names cost nothing.
 */
final class LocalQueues {
    private final Engine engine;
    private final ConcurrentHashMap<LockName, LocalQueue> byName = new ConcurrentHashMap<>();

    LocalQueues(Engine engine) {
        this.engine = engine;
    }

    /** The queue of a name, kept until a matching {@link #leave}. */
    LocalQueue enter(LockName name) {
        return byName.compute(name, (key, queue) -> {
            LocalQueue present = queue == null ? new LocalQueue(engine, key) : queue;
            present.users++;
            return present;
        });
    }

    void leave(LocalQueue queue) {
        byName.computeIfPresent(queue.name, (key, present) -> --present.users == 0 ? null : present);
        changed();
    }

    void forEach(Consumer<LocalQueue> action) {
        byName.values().forEach(action);
    }

    /** Whether nobody uses any of them. */
    boolean isEmpty() {
        return byName.isEmpty();
    }

    /** Something came to its end; only a client that closes waits for that. */
    void changed() {
        if (engine.closed()) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** Waits for the next change, at most for a time in nanoseconds. */
    synchronized void awaitChange(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.timedWait(this, nanos);
    }
}
