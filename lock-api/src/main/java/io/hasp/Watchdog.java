package io.hasp;

import io.hasp.spi.Grant;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Renewal;
import io.hasp.spi.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Renews the leases of one client in batches and ends those whose deadline passes. One timer for all of them, set to
 * whatever is due first; renewals that are nearly due travel along. An idle client has no timer.
 *
 * <p>The tick runs on the timer's thread, calls nothing of the user's and nothing that blocks. Whatever a tick throws, the
 * next one is set.
 */
final class Watchdog {
    private static final long AFTER_A_FAILURE = TimeUnit.MILLISECONDS.toNanos(100);

    private final Engine engine;
    private final Set<Tenure> leases = ConcurrentHashMap.newKeySet();
    /** How close together renewals may be: a twelfth of the default lease. */
    private final long together;

    private volatile long nextTick = Durations.FOREVER;
    private Timing.@Nullable Timer timer;

    Watchdog(Engine engine) {
        this.engine = engine;
        this.together = Durations.nanos(engine.options.renewedLease()) / 12;
    }

    void watch(Tenure lease) {
        leases.add(lease);
        long due = lease.nextDue();
        if (due == Durations.FOREVER) {
            // It ended before it was added, so nobody will forget it.
            leases.remove(lease);
        } else {
            tickBy(due);
        }
    }

    void forget(Tenure lease) {
        leases.remove(lease);
    }

    /** The lease wants renewal now. */
    void hurry(Tenure lease) {
        if (leases.contains(lease)) {
            tickBy(engine.now());
        }
    }

    private void tickBy(long due) {
        if (due >= nextTick) {
            return;
        }
        synchronized (this) {
            if (due >= nextTick) {
                return;
            }
            // If no timer can be had, the one that was set stays.
            Timing.Timer earlier = engine.schedule(due - engine.now(), this::tick);
            if (timer != null) {
                timer.cancel();
            }
            timer = earlier;
            nextTick = due;
        }
    }

    private void tick() {
        synchronized (this) {
            nextTick = Durations.FOREVER;
            timer = null;
        }
        long next = engine.now() + AFTER_A_FAILURE;
        try {
            engine.threadHolds.reportAbandoned();
            engine.handles.reportDropped();
            next = look();
        } finally {
            if (next < Durations.FOREVER) {
                tickBy(next);
            }
        }
    }

    /** Ends what has run out and renews what is due; says when to look again. */
    private long look() {
        long now = engine.now();
        List<Tenure> due = new ArrayList<>();
        long next = Durations.FOREVER;
        for (Tenure lease : leases) {
            lease.state();
            if (lease.beginRenewal(now + together)) {
                due.add(lease);
            }
            next = Math.min(next, lease.nextDue());
        }
        for (int from = 0; from < due.size(); from += LockBackend.MOST_RENEWED_AT_ONCE) {
            List<Tenure> batch = due.subList(from, Math.min(from + LockBackend.MOST_RENEWED_AT_ONCE, due.size()));
            engine.threads.renewals.execute(() -> renew(batch));
        }
        return next;
    }

    /** Each batch counts from its own request, and is confirmed by its own answer: the last of many does not hold up the first. */
    private void renew(List<Tenure> due) {
        List<Grant> grants = due.stream().map(lease -> lease.grant).toList();
        long sentAt = engine.now();
        engine.backend.renew(grants).whenComplete((renewals, thrown) -> {
            Renewal failed = thrown == null ? null : new Renewal.Unknown(Engine.failureOf(thrown));
            for (int i = 0; i < due.size(); i++) {
                Tenure lease = due.get(i);
                Renewal renewal = failed == null ? renewals.get(i) : failed;
                LosslessExecutor.contained(() -> lease.endRenewal(sentAt, renewal));
                tickBy(lease.nextDue());
            }
        });
    }

    /** The leases that are alive, for closing the client. */
    List<Tenure> leases() {
        return List.copyOf(leases);
    }
}
