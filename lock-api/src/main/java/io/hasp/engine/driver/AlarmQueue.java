package io.hasp.engine.driver;

import io.hasp.engine.lease.Timed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The alarms of all leases and kept grants of a client, in buckets by time. A tick takes the buckets that are due, and puts each entry into the
 * bucket of its next alarm. A bucket is an array, so an alarm moves without a search and without a new object. Thread-safe.
 *
 * <p>A new entry waits outside of the buckets until the next tick: most leases end before, and a bucket costs more than a slot or a map.
 */
final class AlarmQueue {
    private static final int NEAR = 128;
    /** The bucket of alarms beyond the others. */
    private static final int FAR = NEAR;
    /** The buckets reach beyond the deadline of a renewed lease. */
    private static final int BUCKETS_PER_LEASE = 96;

    /** Places for each entry, at most. */
    private static final int MOST_GAPS = 4;

    private static final int NO_BUCKET = -1;
    /** Not yet in a bucket. */
    private static final int RECENT = -2;
    /** With a tick, which puts it back at the alarm of that moment. */
    private static final int TAKEN = -3;

    private static final int ENDED = -4;

    private final long width;
    private final Bucket[] buckets = new Bucket[NEAR + 1];

    private final AtomicReferenceArray<@Nullable Entry> slots;
    /** Entries whose slot was taken. */
    private final Set<Entry> beside = ConcurrentHashMap.newKeySet();

    private final AtomicLong entries = new AtomicLong();
    /** The moment up to which a tick took the alarms. */
    private long takenBy;

    /** A subject, its machine, and its place in the queue, which the queue guards. */
    static final class Entry {
        final Timed subject;
        final LeaseMachine machine;
        private final int slot;
        /** The alarm by which a tick looks at the subject. */
        private volatile long moment;

        private int bucket = RECENT;
        private int index;

        private Entry(Timed subject, LeaseMachine machine, long moment, int slot) {
            this.subject = subject;
            this.machine = machine;
            this.moment = moment;
            this.slot = slot;
        }
    }

    /** Entries in any order, with gaps: to fill a gap would need another entry, which is seldom in the processor's cache. */
    private static final class Bucket {
        private List<@Nullable Entry> places = new ArrayList<>();
        private int size;
        /** No entry has an earlier alarm. */
        private long earliest = Timed.NEVER;

        void add(Entry entry, long at) {
            entry.index = places.size();
            places.add(entry);
            size++;
            earliest = Math.min(earliest, at);
        }

        void remove(Entry entry) {
            places.set(entry.index, null);
            size--;
            if (size == 0) {
                clear();
            } else if (places.size() > MOST_GAPS * size) {
                closeGaps();
            }
        }

        private void closeGaps() {
            List<@Nullable Entry> all = places;
            places = new ArrayList<>();
            for (Entry entry : all) {
                if (entry != null) {
                    entry.index = places.size();
                    places.add(entry);
                }
            }
        }

        void takeAll(List<Entry> to) {
            for (Entry entry : places) {
                if (entry != null) {
                    entry.bucket = TAKEN;
                    to.add(entry);
                }
            }
            clear();
        }

        private void clear() {
            places = new ArrayList<>();
            size = 0;
            earliest = Timed.NEVER;
        }
    }

    /**
     * An empty queue.
     *
     * @param renewedLease the time of most alarms from now, in nanoseconds
     */
    AlarmQueue(long renewedLease, int slots) {
        this.width = Math.max(1, renewedLease / BUCKETS_PER_LEASE);
        this.slots = new AtomicReferenceArray<>(slots);
        Arrays.setAll(buckets, i -> new Bucket());
    }

    /** The entry of a subject; null if it has none. */
    static @Nullable Entry of(Timed subject) {
        return (Entry) subject.timerEntry;
    }

    /** Adds an entry, or moves the present one if the alarm has come nearer. An entry that is too early stays: a tick moves it. */
    void set(Timed subject, LeaseMachine machine, long at) {
        Entry present = of(subject);
        if (present == null) {
            int slot = (int) (entries.incrementAndGet() % slots.length());
            Entry fresh = new Entry(subject, machine, at, slot);
            subject.timerEntry = fresh;
            if (!slots.compareAndSet(slot, null, fresh)) {
                beside.add(fresh);
            }
        } else if (present.moment > at) {
            moved(present);
        }
    }

    /** Moves an entry to the alarm of its subject. */
    synchronized void moved(Entry entry) {
        if (entry.bucket >= NO_BUCKET) {
            take(entry);
            put(entry);
        }
    }

    void remove(Timed subject) {
        Entry entry = of(subject);
        if (entry != null) {
            subject.timerEntry = null;
            if (!takeRecent(entry)) {
                end(entry);
            }
        }
    }

    /** A tick that has the entry does not put it back. */
    private synchronized void end(Entry entry) {
        take(entry);
        entry.bucket = ENDED;
    }

    private boolean takeRecent(Entry entry) {
        return slots.compareAndSet(entry.slot, entry, null) || beside.remove(entry);
    }

    /** Takes the entries whose alarm may be due by that moment, and some others. Each has to be {@linkplain #putBack put back}. */
    synchronized List<Entry> takeDue(long by) {
        takenBy = by;
        for (int slot = 0; slot < slots.length(); slot++) {
            Entry entry = slots.get(slot);
            if (entry != null) {
                enqueue(entry);
            }
        }
        beside.forEach(this::enqueue);
        List<Entry> due = new ArrayList<>();
        for (Bucket bucket : buckets) {
            if (bucket.earliest <= by) {
                bucket.takeAll(due);
            }
        }
        return due;
    }

    private void enqueue(Entry entry) {
        if (takeRecent(entry) && entry.bucket == RECENT) {
            put(entry);
        }
    }

    /** Puts an entry into the bucket of the present alarm of its subject. */
    synchronized void putBack(Entry entry) {
        if (entry.bucket == TAKEN) {
            put(entry);
        }
    }

    private void put(Entry entry) {
        long at;
        do {
            at = entry.subject.alarm;
            entry.moment = at;
            // A nearer alarm that another thread has set since may have been compared with the former moment.
        } while (at != entry.subject.alarm);
        entry.bucket = bucketOf(at);
        if (entry.bucket != NO_BUCKET) {
            buckets[entry.bucket].add(entry, at);
        }
    }

    private int bucketOf(long at) {
        if (at == Timed.NEVER) {
            return NO_BUCKET;
        }
        return at - takenBy > (NEAR - 2) * width ? FAR : (int) (Math.max(0, at) / width % NEAR);
    }

    private void take(Entry entry) {
        if (entry.bucket > NO_BUCKET) {
            buckets[entry.bucket].remove(entry);
        }
    }

    /** The earliest alarm of those that were put into a bucket; NEVER if there is none. */
    synchronized long earliest() {
        long earliest = Timed.NEVER;
        for (Bucket bucket : buckets) {
            earliest = Math.min(earliest, bucket.earliest);
        }
        return earliest;
    }

    /** True if there is no entry; for tests. */
    synchronized boolean isEmpty() {
        boolean empty = beside.isEmpty();
        for (int slot = 0; slot < slots.length(); slot++) {
            empty &= slots.get(slot) == null;
        }
        for (Bucket bucket : buckets) {
            empty &= bucket.size == 0;
        }
        return empty;
    }
}
