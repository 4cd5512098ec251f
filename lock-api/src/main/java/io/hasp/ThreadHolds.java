package io.hasp;

import io.hasp.spi.LockName;
import io.hasp.spi.Share;
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
    /**
     * The two locks of a read-write lock share a hold, so a thread that writes may read; all else is apart by its share.
     *
     * @param of the share that is locked, or the writer's for a reader
     */
    private record Key(LockName name, Share of, Thread thread) {
        static Key of(LockName name, Share share, Thread thread) {
            return new Key(name, share.equals(Share.READ) ? Share.WRITE : share, thread);
        }
    }

    /** One thread's hold. Only that thread changes it. */
    static final class Hold {
        final LockOptions options;
        private final AtomicBoolean reported = new AtomicBoolean();
        /** A writer's is replaced when it goes on as a reader. */
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

        /** Tells whether it has ended as a writer and goes on as a reader. */
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

    /** A writer's hold goes on with a lease for reading. */
    void lowered(LockName name, Hold hold, Lease lease) {
        hold.lease = lease;
        watch(Key.of(name, Share.READ, caller.get()), hold, lease);
    }

    private void watch(Key key, Hold hold, Lease lease) {
        // A thread that died with the lock can't unlock it: once the lease is over, nothing needs its entry any more.
        // One that unlocked in time and died since has removed it.
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
