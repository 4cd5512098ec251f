package io.hasp.spring.integration;

import io.hasp.LockClient;
import io.hasp.ReentrantDistributedLock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to be known of a lock that the calling thread holds for a time of its own, or with an interrupt. All registries of a client
 * share it, as they share its locks. It is forgotten when the thread unlocks or ends.
 */
final class ThreadHold {
    private static final ThreadLocal<Map<Key, ThreadHold>> HOLDS = ThreadLocal.withInitial(HashMap::new);

    private record Key(LockClient client, String name) {}

    /** Through which it was locked first, with the options of that call. */
    final ReentrantDistributedLock lock;

    /** Null if its lease has no end. */
    final @Nullable Duration ttl;

    private final @Nullable LossInterrupt interrupt;

    private ThreadHold(ReentrantDistributedLock lock, @Nullable Duration ttl, @Nullable LossInterrupt interrupt) {
        this.lock = lock;
        this.ttl = ttl;
        this.interrupt = interrupt;
    }

    /** Null if there is nothing to know. */
    static @Nullable ThreadHold of(LockClient client, String name) {
        Map<Key, ThreadHold> holds = HOLDS.get();
        ThreadHold hold = holds.get(new Key(client, name));
        if (hold != null && hold.lock.getHoldCount() == 0) {
            // Unlocked elsewhere, by Hasp's own API.
            hold.end(client);
            hold = null;
        }
        if (holds.isEmpty()) {
            HOLDS.remove();
        }
        return hold;
    }

    static void begin(LockClient client, ReentrantDistributedLock lock, @Nullable Duration ttl, boolean interrupting) {
        LossInterrupt interrupt = interrupting ? new LossInterrupt() : null;
        HOLDS.get().put(new Key(client, lock.name()), new ThreadHold(lock, ttl, interrupt));
        if (interrupt != null) {
            interrupt.watch(lock.lease().orElseThrow());
        }
    }

    /** No interrupt comes later; one for the sake of another lock of this thread stays. */
    void end(LockClient client) {
        Map<Key, ThreadHold> holds = HOLDS.get();
        holds.remove(new Key(client, lock.name()));
        if (interrupt != null && interrupt.end() && holds.values().stream().anyMatch(ThreadHold::hasInterrupted)) {
            interrupt.interruptAgain();
        }
        if (holds.isEmpty()) {
            HOLDS.remove();
        }
    }

    private boolean hasInterrupted() {
        return interrupt != null && interrupt.hasInterrupted();
    }
}
