package io.hasp.spring.integration;

import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.OnLoss;
import io.hasp.ReentrantDistributedLock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The calling thread's hold of a lock: the options of its first acquisition, and its interrupt on loss. All registries
 * of a client share it, as they share its locks. It ends when the thread unlocks or ends.
 */
final class ThreadHold {
    /** Null for a thread that holds nothing. */
    private static final ThreadLocal<@Nullable Map<Key, ThreadHold>> HOLDS = new ThreadLocal<>();

    private record Key(LockClient client, String name) {}

    /** The lock of the thread's first acquisition. */
    final ReentrantDistributedLock lock;
    /** Null if its lease has no end. */
    final @Nullable Duration ttl;

    private final Key key;
    private final @Nullable LossInterrupt interrupt;

    ThreadHold(LockClient client, ReentrantDistributedLock lock, LockOptions options) {
        this.lock = lock;
        this.ttl = options.fixedLease().orElse(null);
        this.key = new Key(client, lock.name());
        this.interrupt = options.onLoss() == OnLoss.INTERRUPT ? new LossInterrupt() : null;
    }

    /** Null if the thread has not locked through a registry. */
    static @Nullable ThreadHold of(LockClient client, String name) {
        Map<Key, ThreadHold> holds = HOLDS.get();
        ThreadHold hold = holds == null ? null : holds.get(new Key(client, name));
        if (hold != null && hold.lock.getHoldCount() == 0) {
            // The lock was unlocked through Hasp's own API.
            hold.end();
            return null;
        }
        return hold;
    }

    /** Called by the thread that has locked. */
    void begin() {
        Map<Key, ThreadHold> holds = HOLDS.get();
        if (holds == null) {
            holds = new HashMap<>();
            HOLDS.set(holds);
        }
        holds.put(key, this);
        if (interrupt != null) {
            interrupt.watch(lock.lease().orElseThrow());
        }
    }

    /** Ends the interrupts of this lock; an interrupt for another lock of this thread stays. Idempotent. */
    void end() {
        boolean takenBack = interrupt != null && interrupt.end();
        Map<Key, ThreadHold> holds = HOLDS.get();
        if (holds == null) {
            return;
        }
        holds.remove(key);
        if (takenBack && holds.values().stream().anyMatch(ThreadHold::hasInterrupted)) {
            Thread.currentThread().interrupt();
        }
        if (holds.isEmpty()) {
            HOLDS.remove();
        }
    }

    private boolean hasInterrupted() {
        return interrupt != null && interrupt.hasInterrupted();
    }
}
