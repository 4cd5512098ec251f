package io.hasp.engine.driver;

import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.Timed;
import io.hasp.engine.machine.Event;
import io.hasp.engine.threads.Nanos;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Renewal;
import io.hasp.spi.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One timer for all leases and kept grants of a client. Fires at the earliest alarm, notifies every machine that is due, and renews in
 * batches, including leases that are nearly due. A tick looks at those only, however many leases there are. An idle client has no timer.
 *
 * <p>The tick runs on the timer's thread, calls nothing of the user's and nothing that blocks. An error of a tick ends the client: no other
 * tick would renew its leases, or notice their end.
 */
public final class RenewalTimer {
    private static final AtomicReferenceFieldUpdater<Timed, @Nullable Object> ENTRY =
            AtomicReferenceFieldUpdater.newUpdater(Timed.class, Object.class, "timerEntry");

    private static final int SLOTS = 32;

    private final SharedServices services;
    private final Runnable everyTick;
    private final Runnable renewal = this::renewBatch;

    /** The earliest first. May also hold entries that are not those of their subjects any more. */
    private final NavigableSet<Watched> queue = new ConcurrentSkipListSet<>();
    /** Not in the queue yet: most leases end before the next tick, and the queue costs more than a slot or a map. */
    private final AtomicReferenceArray<@Nullable Watched> slots;
    /** Entries whose slot was taken. */
    private final Set<Watched> beside = ConcurrentHashMap.newKeySet();

    private final AtomicLong entries = new AtomicLong();
    private final Queue<HeldLease> due = new ConcurrentLinkedQueue<>();
    /** Renewals that are due within this time join a batch: a twelfth of the default lease. */
    private final long together;

    private volatile boolean ticking;
    private volatile long nextTick = Nanos.FOREVER;
    private Timing.@Nullable Timer timer;

    /** A subject, its machine, and its alarm when it entered the queue. */
    private static final class Watched implements Comparable<Watched> {
        private final Timed subject;
        private final Consumer<Event> machine;
        private final long moment;
        private final long order;

        Watched(Timed subject, Consumer<Event> machine, long moment, long order) {
            this.subject = subject;
            this.machine = machine;
            this.moment = moment;
            this.order = order;
        }

        @Override
        public int compareTo(Watched other) {
            int byMoment = Long.compare(moment, other.moment);
            return byMoment != 0 ? byMoment : Long.compare(order, other.order);
        }

        /** Each entry is one of its own. */
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(order);
        }
    }

    public RenewalTimer(SharedServices services, long renewedLease, Runnable everyTick) {
        this(services, renewedLease, everyTick, SLOTS);
    }

    RenewalTimer(SharedServices services, long renewedLease, Runnable everyTick, int slots) {
        this.slots = new AtomicReferenceArray<>(slots);
        this.services = services;
        this.together = renewedLease / 12;
        this.everyTick = everyTick;
    }

    /** Watches the new alarm of a lease or of a kept grant, and sends its events to the machine. */
    void set(Timed subject, Consumer<Event> machine) {
        long at = subject.alarm;
        if (at == Timed.NEVER) {
            forget(entry(subject, null));
        } else {
            // An entry that is due earlier is moved then: most alarms move on with each renewal.
            if (subject.timerEntry instanceof Watched present && present.moment <= at) {
                // A tick may have left it where it was.
                tickBy(at);
                return;
            }
            Watched fresh = new Watched(subject, machine, at, entries.incrementAndGet());
            // First in the subject: an entry of the queue that is not its subject's was replaced.
            Watched before = entry(subject, fresh);
            remember(fresh);
            forget(before);
            tickBy(at);
        }
    }

    /** Replaces the entry of a subject, and returns the one before. */
    private static @Nullable Watched entry(Timed subject, @Nullable Watched fresh) {
        return (Watched) ENTRY.getAndSet(subject, fresh);
    }

    private void remember(Watched fresh) {
        if (!slots.compareAndSet(slot(fresh), null, fresh)) {
            beside.add(fresh);
        }
    }

    private void forget(@Nullable Watched entry) {
        if (entry != null && !takeRecent(entry)) {
            queue.remove(entry);
        }
    }

    private int slot(Watched entry) {
        return (int) (entry.order % slots.length());
    }

    /** True if it holds no entry of any subject; for tests. */
    boolean isEmpty() {
        boolean empty = queue.isEmpty() && beside.isEmpty();
        for (int slot = 0; slot < slots.length(); slot++) {
            empty &= slots.get(slot) == null;
        }
        return empty;
    }

    private boolean takeRecent(Watched entry) {
        return slots.compareAndSet(slot(entry), entry, null) || beside.remove(entry);
    }

    /** Moves an entry to the alarm of its subject, which it returns. {@link #set} leaves an earlier entry alone, while the alarm moves on. */
    private long move(Watched entry) {
        Watched last = entry;
        long at = entry.subject.alarm;
        while (at != last.moment) {
            Watched fresh = new Watched(entry.subject, entry.machine, at, entries.incrementAndGet());
            if (!ENTRY.compareAndSet(entry.subject, last, fresh)) {
                return at;
            }
            queue.add(fresh);
            removeIfReplaced(fresh);
            queue.remove(last);
            last = fresh;
            at = entry.subject.alarm;
        }
        return at;
    }

    /** A client that has failed has no timer: its machines take no event, and would stay due. */
    private void tickBy(long moment) {
        if (moment >= nextTick || services.failStop.failed()) {
            return;
        }
        synchronized (this) {
            if (moment >= nextTick) {
                return;
            }
            Timing.Timer earlier = services.schedule(moment - services.now(), this::tick);
            if (timer != null) {
                timer.cancel();
            }
            timer = earlier;
            nextTick = moment;
        }
    }

    private void tick() {
        synchronized (this) {
            nextTick = Nanos.FOREVER;
            timer = null;
        }
        ticking = true;
        everyTick.run();
        long next = look();
        ticking = false;
        if (next < Nanos.FOREVER) {
            tickBy(next);
        }
        renewDue();
    }

    /** Notifies the subjects whose alarm has come, and renewals that are nearly due; returns the next alarm. */
    private long look() {
        long now = services.now();
        long by = now + together;
        long next = Timed.NEVER;
        queueRecent();
        for (Watched entry : queue) {
            if (entry.moment > by) {
                return Math.min(next, entry.moment);
            }
            next = Math.min(next, lookAt(entry, now, by));
        }
        return next;
    }

    private void queueRecent() {
        for (int slot = 0; slot < slots.length(); slot++) {
            Watched entry = slots.get(slot);
            if (entry != null) {
                enqueue(entry);
            }
        }
        beside.forEach(this::enqueue);
    }

    /** First into the queue, so that the entry is always in one of the two. */
    private void enqueue(Watched entry) {
        queue.add(entry);
        if (!takeRecent(entry)) {
            removeIfReplaced(entry);
        }
    }

    /** Another thread may have replaced it before it was in the queue. A tick on another thread takes entries over without that. */
    private void removeIfReplaced(Watched entry) {
        if (!entry.equals(entry.subject.timerEntry)) {
            queue.remove(entry);
        }
    }

    /** The subject's next alarm. */
    private long lookAt(Watched entry, long now, long by) {
        Timed subject = entry.subject;
        if (!entry.equals(subject.timerEntry)) {
            queue.remove(entry);
            return Timed.NEVER;
        }
        if (subject.alarm <= (subject.mayComeEarly() ? by : now)) {
            entry.machine.accept(new Event.TimePassed(subject));
            long at = subject.alarm;
            if (at > by && at < Timed.NEVER) {
                // The next tick moves it: mostly the renewal is confirmed by then, and the alarm has moved on.
                return at;
            }
        }
        return move(entry);
    }

    /**
     * Renews a lease with the others of this tick, or now. The next free thread takes all leases that are due by then: when a backend
     * recalls thousands of leases at once, one request for each would delay the next renewals of all.
     */
    void renew(HeldLease lease) {
        due.add(lease);
        if (!ticking) {
            services.threads.renewals.execute(renewal);
        }
    }

    /** Also for those that came while the tick looked at the others. */
    private void renewDue() {
        for (int batches = due.size(); batches > 0; batches -= LockBackend.MOST_RENEWED_AT_ONCE) {
            services.threads.renewals.execute(renewal);
        }
    }

    /** Several threads may do so at once: each sends the leases that it takes from the queue. */
    private void renewBatch() {
        services.guarded(() -> {
            List<HeldLease> batch = takeDue();
            if (!batch.isEmpty()) {
                renew(batch);
            }
        });
    }

    private List<HeldLease> takeDue() {
        List<HeldLease> batch = new ArrayList<>();
        while (batch.size() < LockBackend.MOST_RENEWED_AT_ONCE) {
            HeldLease lease = due.poll();
            if (lease == null) {
                break;
            }
            batch.add(lease);
        }
        return batch;
    }

    /** Each batch counts from its own request, and is confirmed by its own answer: the last of many does not hold up the first. */
    private void renew(List<HeldLease> batch) {
        long sentAt = services.now();
        List<Grant> grants = batch.stream().map(lease -> lease.renewed(sentAt)).toList();
        services.backend
                .renew(grants)
                .whenComplete((renewals, thrown) -> services.guarded(
                        () -> answered(batch, sentAt, renewals, thrown == null ? null : services.failureOf(thrown))));
    }

    /** With the renewals, or with a failure of them all. */
    private void answered(
            List<HeldLease> batch, long sentAt, List<Renewal> renewals, @Nullable BackendFailure failure) {
        for (int i = 0; i < batch.size(); i++) {
            HeldLease lease = batch.get(i);
            // The answer also counts for a lease that took over the grant since the request.
            if (lease.present().timerEntry instanceof Watched entry) {
                Renewal renewal = failure == null ? renewals.get(i) : new Renewal.Unknown(failure);
                entry.machine.accept(new Event.Renewed(lease, sentAt, renewal));
            }
        }
    }
}
