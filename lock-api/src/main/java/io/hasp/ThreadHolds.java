package io.hasp;

import io.hasp.spi.LockName;
import io.hasp.spi.Share;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the holds of each thread of this client on each lock through {@link ReentrantDistributedLock}. An entry belongs to its thread; the
 * entry of a dead thread is reported once, because no other thread can unlock it.
 */
final class ThreadHolds {
    /**
     * Identifies a hold. The two locks of a read-write lock share a hold, so a thread that writes may read; all other locks are
     * distinguished by their share.
     *
     * @param of the share that is locked, or the writer's for a reader
     */
    private record Key(LockName name, Share of, Thread thread) {
        static Key of(LockName name, Share share, Thread thread) {
            return new Key(name, share.equals(Share.READ) ? Share.WRITE : share, thread);
        }
    }

    /** Changed by its own thread only. */
    static final class Hold {
        final LockOptions options;
        private final AtomicBoolean reported = new AtomicBoolean();
        /** Replaced when a writer goes on as a reader. */
        private volatile Lease lease;

        private int count;
        private int readCount;

        private Hold(Lease lease, LockOptions options) {
            this.lease = lease;
            this.options = options;
        }

        Lease lease() {
            return lease;
        }

        int count(Share share) {
            return share.equals(Share.READ) ? readCount : count;
        }

        void again(Share share) {
            if (share.equals(Share.READ)) {
                readCount = Math.addExact(readCount, 1);
            } else {
                count = Math.addExact(count, 1);
            }
        }

        boolean isLast() {
            return count + readCount == 1;
        }

        /** Returns true if the hold has ended as a writer and goes on as a reader. */
        boolean lessToReading(Share share) {
            if (share.equals(Share.READ)) {
                readCount--;
                return false;
            }
            count--;
            return count == 0;
        }
    }

    private final Map<Key, Hold> holds = new ConcurrentHashMap<>();
    private final LockEvents events;
    private final Supplier<Thread> caller;

    ThreadHolds(LockEvents events) {
        this(events, Thread::currentThread);
    }

    /** For tests, with another notion of the calling thread. */
    ThreadHolds(LockEvents events, Supplier<Thread> caller) {
        this.events = events;
        this.caller = caller;
    }

    @Nullable
    Hold mine(LockName name, Share share) {
        return holds.get(Key.of(name, share, caller.get()));
    }

    void begin(LockName name, Share share, Lease lease, LockOptions options) {
        Key key = Key.of(name, share, caller.get());
        Hold hold = new Hold(lease, options);
        hold.again(share);
        holds.put(key, hold);
        watch(key, hold, lease);
    }

    /** Continues a writer's hold with a lease for reading. */
    void lowered(LockName name, Hold hold, Lease lease) {
        hold.lease = lease;
        watch(Key.of(name, Share.READ, caller.get()), hold, lease);
    }

    private void watch(Key key, Hold hold, Lease lease) {
        // A dead thread can't unlock: once its lease is over, nothing needs the entry any more.
        // A thread that unlocked before it died has removed its entry.
        lease.whenEnded(() -> {
            if (!key.thread().isAlive() && holds.remove(key, hold)) {
                report(key, hold);
            }
        });
    }

    void end(LockName name, Share share) {
        holds.remove(Key.of(name, share, caller.get()));
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
