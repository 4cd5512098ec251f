package io.hasp.engine;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LogQueue;
import io.hasp.spi.Renewal;
import io.hasp.spi.StackReserve;
import io.hasp.spi.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One timer for all leases and kept grants of a client. Fires at the earliest alarm, notifies every machine that is due, and renews in
 * batches, including leases that are nearly due. A tick looks at those only, however many leases there are. An idle client has no timer.
 *
 * <p>The tick runs on the timer's thread, calls nothing of the user's and nothing that blocks. Whatever a tick throws, the
 * next one is set. If no timer can be had for it, a thread tries again for a moment, since memory may be short only for as long.
 * If there is none then, all leases are lost: nobody would renew them, and nobody would notice their end.
 */
final class RenewalTimer {
    private static final long AFTER_A_FAILURE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int TRIES = 5;
    private static final Renewal UNWATCHED = new Renewal.Lost("no timer could be set for it");

    private final SharedServices services;
    private final Runnable everyTick;
    /** Made once: one place less where memory can run out after a lease is due. */
    private final Runnable renewal = this::renewBatch;

    private final Map<Timed, Watched> subjects = new ConcurrentHashMap<>();
    /** The earliest first. May also hold entries that were replaced in the map. */
    private final NavigableSet<Watched> queue = new ConcurrentSkipListSet<>();
    /** Not in the queue yet: most leases end before the next tick, and the queue costs more than a map. */
    private final Set<Watched> recent = ConcurrentHashMap.newKeySet();

    private final AtomicLong entries = new AtomicLong();
    private final Queue<HeldLease> due = new ConcurrentLinkedQueue<>();
    /** How close together renewals may be: a twelfth of the default lease. */
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

    RenewalTimer(SharedServices services, long renewedLease, Runnable everyTick) {
        this.services = services;
        this.together = renewedLease / 12;
        this.everyTick = everyTick;
    }

    /** The alarm of a lease or of a grant that is kept was set anew; its machine takes events here. */
    void set(Timed subject, Consumer<Event> machine) {
        long at = subject.alarm;
        if (at == Timed.NEVER) {
            forget(subjects.remove(subject));
        } else {
            Watched fresh = new Watched(subject, machine, at, entries.incrementAndGet());
            // First in the map: an entry of the queue that is not in the map is one that was replaced.
            Watched before = subjects.put(subject, fresh);
            recent.add(fresh);
            forget(before);
            tickBy(at);
        }
    }

    private void forget(@Nullable Watched entry) {
        if (entry != null && !recent.remove(entry)) {
            queue.remove(entry);
        }
    }

    /** The alarm moved, and is not set here yet. */
    private void move(Watched entry, long at) {
        Watched fresh = new Watched(entry.subject, entry.machine, at, entries.incrementAndGet());
        if (subjects.replace(entry.subject, entry, fresh)) {
            queue.add(fresh);
            queue.remove(entry);
        }
    }

    private void tickBy(long moment) {
        if (moment >= nextTick) {
            return;
        }
        synchronized (this) {
            if (moment >= nextTick) {
                return;
            }
            // If no timer can be had, the one that was set stays.
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
        long next = services.now() + AFTER_A_FAILURE;
        ticking = true;
        try {
            everyTick.run();
            next = look();
        } finally {
            ticking = false;
            try {
                tickAgainBy(next);
            } finally {
                renewDue();
            }
        }
    }

    private void tickAgainBy(long moment) {
        if (moment >= Nanos.FOREVER) {
            return;
        }
        try {
            tickBy(moment);
        } catch (Throwable noTimer) {
            services.threads.renewals.execute(() -> tickSoon(noTimer));
        }
    }

    private void tickSoon(Throwable first) {
        Throwable last = first;
        for (int i = 0; i < TRIES; i++) {
            try {
                tickBy(services.now());
                return;
            } catch (Throwable noTimer) {
                last = noTimer;
                LockSupport.parkNanos(AFTER_A_FAILURE / TRIES);
            }
        }
        LogQueue.log(System.Logger.Level.ERROR, "the lock client failed to set a timer: its leases are lost", last);
        subjects.forEach(
                (subject, entry) -> LosslessExecutor.contained(() -> entry.machine.accept(unwatched(subject))));
    }

    private Event unwatched(Timed subject) {
        return subject instanceof KeptGrant kept
                ? new Event.Unwatched(kept)
                : new Event.Renewed((HeldLease) subject, services.now(), UNWATCHED);
    }

    /** Notifies the subjects whose alarm has come, and renewals that are nearly due; says when to look again. */
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
        recent.forEach(entry -> {
            queue.add(entry);
            if (!recent.remove(entry)) {
                queue.remove(entry);
            }
        });
    }

    /** The subject's next alarm. */
    private long lookAt(Watched entry, long now, long by) {
        Timed subject = entry.subject;
        if (!entry.equals(subjects.get(subject))) {
            queue.remove(entry);
            return Timed.NEVER;
        }
        if (subject.alarm <= (subject.mayComeEarly() ? by : now)) {
            LosslessExecutor.contained(() -> entry.machine.accept(new Event.TimePassed(subject)));
        }
        long at = subject.alarm;
        if (at != entry.moment) {
            move(entry, at);
        }
        return at;
    }

    /**
     * The lease is to be renewed: with the others of this tick, or now. Whoever is free to send takes all that are due by then: when a
     * backend tells thousands of leases at once that others want them, a request for each would hold up the next renewals of all.
     */
    void renew(HeldLease lease) {
        StackReserve.require();
        due.add(lease);
        if (ticking) {
            return;
        }
        try {
            services.threads.renewals.execute(renewal);
        } catch (Throwable broken) {
            // The lease is told of a failure, and nobody may renew it then; unless another thread does so already.
            if (due.remove(lease)) {
                throw broken;
            }
        }
    }

    /** Also for those that came while the tick looked at the others. */
    private void renewDue() {
        for (int batches = due.size(); batches > 0; batches -= LockBackend.MOST_RENEWED_AT_ONCE) {
            services.threads.renewals.execute(renewal);
        }
    }

    /**
     * Several threads may do so at once: each sends the leases that it takes from the queue. One that has too little stack for that, or
     * no memory to take them, leaves them to the timer's thread. Otherwise their renewals would be taken to be under way for ever.
     */
    private void renewBatch() {
        List<HeldLease> batch = List.of();
        try {
            StackReserve.require();
            batch = takeDue();
            if (!batch.isEmpty()) {
                renew(batch);
            }
        } catch (Throwable broken) {
            if (broken instanceof StackOverflowError || batch.isEmpty()) {
                due.addAll(batch);
                tickAgainBy(services.now() + AFTER_A_FAILURE);
            } else {
                answered(batch, services.now(), null, Failures.patiently(Failures::described, broken));
            }
        }
    }

    /** Needs no more memory once the first one is taken. */
    private List<HeldLease> takeDue() {
        int most = Math.min(due.size(), LockBackend.MOST_RENEWED_AT_ONCE);
        List<HeldLease> batch = new ArrayList<>(most);
        while (batch.size() < most) {
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
                .whenComplete((renewals, thrown) -> answered(
                        batch, sentAt, renewals, thrown == null ? null : Failures.patiently(Failures::of, thrown)));
    }

    /** With the renewals, or with a failure of them all. */
    private void answered(
            List<HeldLease> batch, long sentAt, @Nullable List<Renewal> renewals, @Nullable BackendFailure failure) {
        for (int i = 0; i < batch.size(); i++) {
            HeldLease lease = batch.get(i);
            // One that began in the place of the one that asked hears of it, too.
            Watched entry = subjects.get(lease.present());
            if (entry != null) {
                try {
                    entry.machine.accept(event(lease, sentAt, renewals == null ? null : renewals.get(i), failure));
                } catch (Throwable e) {
                    LogQueue.log(System.Logger.Level.ERROR, "a task of the lock client failed", e);
                }
            }
        }
    }

    private static Event event(
            HeldLease lease, long sentAt, @Nullable Renewal renewal, @Nullable BackendFailure failure) {
        for (int tries = 0; ; tries++) {
            try {
                return new Event.Renewed(
                        lease,
                        sentAt,
                        renewal != null ? renewal : new Renewal.Unknown(Objects.requireNonNull(failure)));
            } catch (OutOfMemoryError broken) {
                if (!Failures.mayPass(broken, tries)) {
                    throw broken;
                }
            }
        }
    }
}
