package io.hasp;

import io.hasp.spi.LockName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which thread of this client holds which lock through the juc view, and how often. An entry belongs to its thread. */
final class ThreadHolds {
    private record Key(LockName name, Thread thread) {}

    /** One thread's hold. Only that thread changes the count. */
    static final class Hold {
        final Lease lease;
        private int count = 1;

        private Hold(Lease lease) {
            this.lease = lease;
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

    @Nullable
    Hold mine(LockName name) {
        return holds.get(new Key(name, Thread.currentThread()));
    }

    void begin(LockName name, Lease lease) {
        Key key = new Key(name, Thread.currentThread());
        holds.put(key, new Hold(lease));
        // A thread that died with the lock can't unlock it: once the lease is over, nothing needs its entry any more.
        lease.onChange(Runnable::run, state -> {
            if (state != LeaseState.HELD
                    && state != LeaseState.SUSPECT
                    && !key.thread().isAlive()) {
                holds.remove(key);
            }
        });
    }

    void end(LockName name) {
        holds.remove(new Key(name, Thread.currentThread()));
    }
}
