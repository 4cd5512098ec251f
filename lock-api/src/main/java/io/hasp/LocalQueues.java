package io.hasp;

import io.hasp.spi.LockName;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The local queues of one client, one per name for as long as somebody uses it: idle names cost nothing. */
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
    }

    void forEach(Consumer<LocalQueue> action) {
        byName.values().forEach(action);
    }
}
