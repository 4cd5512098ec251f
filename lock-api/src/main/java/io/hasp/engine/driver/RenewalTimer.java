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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * One timer for all leases and kept grants of a client. Fires at the earliest alarm, notifies every machine that is due, and renews in
 * batches, including leases that are nearly due. A tick looks at those only, however many leases there are. An idle client has no timer.
 *
 * <p>The tick runs on the timer's thread, calls nothing of the user's and nothing that blocks. An error of a tick ends the client: no other
 * tick would renew its leases, or notice their end.
 */
public final class RenewalTimer {
    private static final int SLOTS = 32;

    private final SharedServices services;
    private final Runnable everyTick;
    private final Runnable renewal = this::renewBatch;

    private final AlarmQueue alarms;
    private final Queue<HeldLease> due = new ConcurrentLinkedQueue<>();
    /** Renewals that are due within this time join a batch: a twelfth of the default lease. */
    private final long together;

    private volatile boolean ticking;
    private volatile long nextTick = Nanos.FOREVER;
    private Timing.@Nullable Timer timer;

    public RenewalTimer(SharedServices services, long renewedLease, Runnable everyTick) {
        this(services, renewedLease, everyTick, SLOTS);
    }

    RenewalTimer(SharedServices services, long renewedLease, Runnable everyTick, int slots) {
        this.alarms = new AlarmQueue(renewedLease, slots);
        this.services = services;
        this.together = renewedLease / 12;
        this.everyTick = everyTick;
    }

    /** Watches the new alarm of a lease or of a kept grant, and sends its events to the machine. One thread at a time for a subject. */
    void set(Timed subject, LeaseMachine machine) {
        long at = subject.alarm;
        if (at == Timed.NEVER) {
            alarms.remove(subject);
        } else {
            // First in the queue: a tick that sets no timer for it finds it there.
            alarms.set(subject, machine, at);
            tickBy(at);
        }
    }

    /** True if it watches no subject; for tests. */
    boolean isEmpty() {
        return alarms.isEmpty();
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
        for (AlarmQueue.Entry entry : alarms.takeDue(by)) {
            Timed subject = entry.subject;
            if (subject.alarm <= now || subject.alarm - Math.min(together, subject.early()) <= now) {
                notify(entry);
            }
            alarms.putBack(entry);
        }
        return alarms.earliest();
    }

    private void notify(AlarmQueue.Entry entry) {
        if (entry.subject instanceof HeldLease lease && entry.machine.beginsRenewal(lease)) {
            renew(lease);
        } else {
            entry.machine.apply(new Event.TimePassed(entry.subject));
        }
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
            AlarmQueue.Entry entry = AlarmQueue.of(lease.present());
            if (entry != null) {
                answered(lease, sentAt, failure == null ? renewals.get(i) : new Renewal.Unknown(failure), entry);
            }
        }
    }

    private void answered(HeldLease lease, long sentAt, Renewal renewal, AlarmQueue.Entry entry) {
        if (renewal instanceof Renewal.Renewed renewed && entry.machine.confirms(lease, sentAt, renewed)) {
            alarms.moved(entry);
            // After a shorter validity, or an early renewal of a short lease, the next one is due before the tick that
            // awaited this answer.
            tickBy(lease.alarm);
        } else {
            entry.machine.apply(new Event.Renewed(lease, sentAt, renewal));
        }
    }
}
