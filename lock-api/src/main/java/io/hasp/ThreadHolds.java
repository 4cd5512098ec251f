package io.hasp;

import io.hasp.spi.LockName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which thread of this client holds which lock through {@link ReentrantDistributedLock}, and how often. An entry belongs to its thread; one
 * whose thread has died is reported once, because nobody can unlock it any more.
 */
final class ThreadHolds {
    private record Key(LockName name, Thread thread) {}

    /** One thread's hold. Only that thread changes the count. */
    static final class Hold {
        final Lease lease;
        final LockOptions options;
        private final AtomicBoolean reported = new AtomicBoolean();
        private int count = 1;

        private Hold(Lease lease, LockOptions options) {
            this.lease = lease;
            this.options = options;
        }

        int count() {
            return count;
        }

        void again() {
            count = Math.addExact(count, 1);
        }

        boolean isLast() {
            return count == 1;
        }

        void less() {
            count--;
        }
    }

    private final Map<Key, Hold> holds = new ConcurrentHashMap<>();
    private final LockEvents events;
    private final Supplier<Thread> caller;

    /** For the threads that call. */
    ThreadHolds(LockEvents events) {
        this(events, Thread::currentThread);
    }

    /** With another notion of which thread calls. */
    ThreadHolds(LockEvents events, Supplier<Thread> caller) {
        this.events = events;
        this.caller = caller;
    }

    @Nullable
    Hold mine(LockName name) {
        return holds.get(new Key(name, caller.get()));
    }

    void begin(LockName name, Lease lease, LockOptions options) {
        Key key = new Key(name, caller.get());
        Hold hold = new Hold(lease, options);
        holds.put(key, hold);
        // A thread that died with the lock can't unlock it: once the lease is over, nothing needs its entry any more.
        // One that unlocked in time and died since has removed it.
        lease.whenEnded(() -> {
            if (!key.thread().isAlive() && holds.remove(key, hold)) {
                report(key, hold);
            }
        });
    }

    void end(LockName name) {
        holds.remove(new Key(name, caller.get()));
    }

    /** Reports the locks of threads that have died. */
    void reportAbandoned() {
        holds.forEach((key, hold) -> {
            if (!key.thread().isAlive()) {
                report(key, hold);
            }
        });
    }

    private void report(Key key, Hold hold) {
        if (hold.reported.compareAndSet(false, true)) {
            events.abandoned(key.name(), hold.lease.fencingToken(), key.thread().getName());
        }
    }
}
