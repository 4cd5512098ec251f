package io.hasp.engine.machine;

import io.hasp.engine.lease.GrantRenewal;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.LeaseLife;
import io.hasp.engine.threads.Nanos;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The steps of {@link LockMachine} with a lease: its renewal, news of it, and its end. */
final class LeaseSteps {
    /** The time for which blocking observers may hold up the release of a lease at its end. */
    private static final long LONGEST_NOTIFICATION = TimeUnit.MILLISECONDS.toNanos(20);

    private static final LeaseLife.Event TICKED = new LeaseLife.Event.Ticked();

    private LeaseSteps() {}

    /** Null if this client has no lease. */
    static LeaseLife.@Nullable State holderState(LockState lock) {
        HeldLease before = lock.leases.holder();
        if (before != null) {
            advance(lock, before, TICKED);
        }
        HeldLease holder = lock.leases.holder();
        return holder == null ? null : holder.life().state();
    }

    /** Removes a lease, and lets the next contenders ask. */
    static void ended(LockState lock, HeldLease lease) {
        if (lock.leases.remove(lease)) {
            lock.askNext();
        }
    }

    static void leaseSignalled(LockState lock, HeldLease lease, Signal signal) {
        switch (signal) {
            case SUSPECT -> {
                lock.took(Transition.LEASE_DOUBTED);
                lease.renewal.doubt();
                doubt(lock, lease);
            }
            case LOST -> {
                lock.took(Transition.LEASE_DENIED);
                lease.renewal.doubt();
                advance(lock, lease, new LeaseLife.Event.Denied("the backend reports that it is gone"));
            }
            case RESTORED -> {
                lock.took(Transition.LEASE_RESTORED);
                // Also a lease without a doubt: the present server may not know it.
                lease.renewal.restored(lock.now);
                doubt(lock, lease);
            }
            case WANTED -> wanted(lock, lease);
            case MAYBE_FREE -> lock.took(Transition.SIGNAL_IGNORED);
        }
        lock.setAlarm(lease);
    }

    /** A lease that is in doubt keeps the first reason. */
    private static void doubt(LockState lock, HeldLease lease) {
        if (lease.life().state() == LeaseLife.State.HELD) {
            advance(lock, lease, new LeaseLife.Event.Doubted(""));
        }
    }

    /** Reports to the server that the lock is in use and its grant will not be kept, so that it recalls the lock no more. */
    private static void wanted(LockState lock, HeldLease lease) {
        if (!lease.alive() || !lease.want(lock.now)) {
            lock.took(Transition.SIGNAL_IGNORED);
            return;
        }
        lock.took(Transition.RECALLED_IN_USE);
        if (lock.settings.observed()) {
            lock.effects.add(new Effect.Report(new Notice.Recalled(lock.name, lease.token(), true)));
        }
        if (beginsRenewal(lock, lease)) {
            lock.effects.add(new Effect.Renew(lease));
        }
    }

    /** Requests the renewals that lower a share and are in this contender's way, except for those under way. */
    static void lowerNow(LockState lock, Contender contender) {
        for (HeldLease lease : lock.leases.all()) {
            if (contender.isBehind(lease) && lease.alive() && lease.renewal.lowersAgain(lock.now)) {
                timePassed(lock, lease);
            }
        }
    }

    private static boolean beginsRenewal(LockState lock, HeldLease lease) {
        boolean begins = lease.beginRenewal(lock.now);
        if (begins && lock.keeping != null) {
            lease.renewal.sentAt(lock.keeping.clockDifference());
        }
        return begins;
    }

    /** The client is closed, and the lease is in use. A session goes on; a lease ends at its deadline, since it is renewed no more. */
    static void leave(LockState lock, HeldLease lease) {
        if (!lease.alive() || lock.settings.sessions()) {
            return;
        }
        boolean renewable = lease.life().renewable();
        lease.leave();
        if (renewable) {
            advance(lock, lease, new LeaseLife.Event.Doubted(GrantRenewal.CLOSED));
        }
        lock.setAlarm(lease);
    }

    static void timePassed(LockState lock, HeldLease lease) {
        if (lease.notifyUntil > 0 && lock.now >= lease.notifyUntil) {
            endNotifying(lock, lease);
        } else if (lease.alive()) {
            advance(lock, lease, TICKED);
            if (beginsRenewal(lock, lease)) {
                lock.took(Transition.RENEWAL_DUE);
                lock.effects.add(new Effect.Renew(lease));
            }
        }
        lock.setAlarm(lease);
    }

    /** The same as {@link #timePassed} where a renewal is all that is due. */
    static boolean beginsOnlyRenewal(LockState lock, HeldLease lease) {
        if (!lease.quiet(lock.now) || !beginsRenewal(lock, lease)) {
            return false;
        }
        lock.took(Transition.RENEWAL_DUE);
        lease.alarm = lease.nextMoment();
        return true;
    }

    /** The same as {@link #renewed} where the deadline moves on, and no contender or listener waits for that. */
    static boolean onlyConfirmed(LockState lock, HeldLease lease, long sentAt, Renewal.Renewed renewed) {
        if (!lease.quiet(lock.now)
                || lease.present() != lease
                || !lease.renewal.onlyProlongs()
                || lock.queue.anyBehind()
                || lock.settings.observed()) {
            return false;
        }
        lock.took(Transition.RENEWED);
        lease.advance(lease.renewal.end(sentAt, renewed, lock.now), lock.now);
        lease.renewal.takeDelay(lock.now);
        lease.alarm = lease.nextMoment();
        return true;
    }

    static void renewed(LockState lock, HeldLease lease, long sentAt, Renewal renewal) {
        lock.took(
                renewal instanceof Renewal.Renewed
                        ? Transition.RENEWED
                        : renewal instanceof Renewal.Lost ? Transition.RENEWAL_DENIED : Transition.RENEWAL_FAILED);
        HeldLease present = lease.present();
        if (present != lease) {
            renewedBefore(lock, lease, present, sentAt, renewal);
            return;
        }
        advance(lock, lease, lease.renewal.end(sentAt, renewal, lock.now));
        if (renewal instanceof Renewal.Renewed && lease.state() == LeaseLife.State.HELD) {
            reportRenewal(lock, lease, lease.renewal.takeDelay(lock.now));
        }
        if (!(renewal instanceof Renewal.Unknown) && lease.alive() && !lease.renewal.lowers()) {
            lock.queue.settled(lease, null);
        }
        lock.setAlarm(lease);
    }

    private static void reportRenewal(LockState lock, HeldLease lease, long delay) {
        if (lock.settings.observed()) {
            long remaining = lease.deadline() - lock.now;
            lock.effects.add(new Effect.Report(new Notice.Renewed(lock.name, lease.token(), remaining, delay)));
        }
    }

    /** An answer about a grant holds for the present lease on it, whose own renewal is still unanswered. */
    private static void renewedBefore(
            LockState lock, HeldLease lease, HeldLease present, long sentAt, Renewal renewal) {
        boolean outdated = lease.renewal.interruptionsBefore() != present.renewal.interruptions();
        if (renewal instanceof Renewal.Renewed renewed && !outdated) {
            advance(lock, present, present.renewal.confirmedBefore(sentAt, renewed));
        } else if (renewal instanceof Renewal.Lost lost) {
            advance(lock, present, new LeaseLife.Event.Denied(lost.why()));
        }
        lock.setAlarm(present);
    }

    /**
     * Moves the end of a fixed lease, never to an earlier moment nor beyond max hold: its caller may have read the end a while ago. An
     * unanswered renewal has an answer of its own. If the backend was away in between, this answer may come from the old server.
     */
    static void extended(
            LockState lock, HeldLease lease, long sentAt, long asked, Renewal.Renewed renewed, int interruptions) {
        lock.took(Transition.EXTENDED);
        if (lease.renewal.interruptions() != interruptions) {
            return;
        }
        long end = Math.min(sentAt + asked - Nanos.drift(asked), lease.longestCap());
        long cap = Math.max(lease.life().cap(), end);
        advance(lock, lease, new LeaseLife.Event.Recapped(cap));
        advance(lock, lease, lease.renewal.extended(sentAt, renewed));
        if (lease.life().state() == LeaseLife.State.HELD) {
            reportRenewal(lock, lease, 0);
        }
        lock.setAlarm(lease);
    }

    /** Returns the state before. */
    static LeaseLife.State advance(LockState lock, HeldLease lease, LeaseLife.Event event) {
        LeaseLife.State before = lease.advance(event, lock.now);
        if (lease.state() != before) {
            changed(lock, lease, lease.life());
        }
        return before;
    }

    private static void changed(LockState lock, HeldLease lease, LeaseLife life) {
        switch (life.state()) {
            case LOST -> lost(lock, lease, life);
            case SUSPECT -> {
                lock.took(Transition.LEASE_SUSPECT);
                notifyObservers(lock, lease, new Notice.Suspect(lock.name, lease.token(), life.deadline() - lock.now));
            }
            case HELD -> {
                lock.took(Transition.LEASE_CONFIRMED);
                notifyObservers(lock, lease, new Notice.Confirmed(lock.name, lease.token()));
            }
            case RELEASED -> {
                reportRelease(lock, lease);
                if (lease.hasListeners()) {
                    lock.effects.add(new Effect.Notify(lease, false));
                }
            }
        }
    }

    private static void notifyObservers(LockState lock, HeldLease lease, Notice notice) {
        lock.effects.add(new Effect.Report(notice));
        lock.effects.add(new Effect.Notify(lease, false));
    }

    /** The server still keeps a lock whose time is over here: its holder is notified before another one can begin. */
    private static void lost(LockState lock, HeldLease lease, LeaseLife life) {
        reportLoss(lock, lease, life);
        if (life.deadline() == life.cap() && (lease.observed() || lease.stopsWork())) {
            lock.took(Transition.LEASE_OVER_NOTIFYING);
            lock.effects.add(new Effect.Notify(lease, true));
            lease.stopping = lease.stopsWork();
            lease.notifyUntil = lock.now + Math.max(LONGEST_NOTIFICATION, lease.stopping ? lease.margin() : 0);
            lock.leases.notifying++;
            lock.setAlarm(lease);
        } else {
            lock.took(Transition.LEASE_LOST);
            lock.effects.add(new Effect.Notify(lease, false));
            giveUp(lock, lease);
        }
    }

    /** A lease whose beginning was not reported, because the client closes, ends unreported as well. */
    static void reportRelease(LockState lock, HeldLease lease) {
        if (lease.endAwaited && lock.settings.observed()) {
            lock.effects.add(new Effect.Report(new Notice.Released(lock.name, lease.token(), lease.heldFor(lock.now))));
        }
        lease.endAwaited = false;
    }

    static void reportLoss(LockState lock, HeldLease lease, LeaseLife life) {
        long held = lease.endAwaited ? lease.heldFor(lock.now) : Notice.Lost.ENDED_BEFORE;
        lock.effects.add(new Effect.Report(new Notice.Lost(lock.name, lease.token(), life.reason(), held)));
        lease.endAwaited = false;
        lease.lossReported = true;
    }

    /** The client has failed. Nothing is given back: the lock ends with its lease or session. */
    static void lostByFailure(LockState lock, HeldLease lease, String why) {
        lease.advance(new LeaseLife.Event.Denied(why), lock.now);
        lease.noteState();
        if (lease.life().state() == LeaseLife.State.LOST && !lease.lossReported) {
            reportLoss(lock, lease, lease.life());
        } else {
            reportRelease(lock, lease);
        }
        lock.effects.add(new Effect.Notify(lease, false));
    }

    /** Interrupted work has as long to stop as between a deadline here and the end on the server. */
    static void notified(LockState lock, HeldLease lease) {
        if (lease.notifyUntil > 0 && lease.stopping && !lease.returned) {
            lease.stopping = false;
            lease.stopped = true;
            lease.notifyUntil = lock.now + lease.margin();
            lock.setAlarm(lease);
        } else {
            endNotifying(lock, lease);
        }
    }

    /** The holder gives back a lease that is over. */
    static void returned(LockState lock, HeldLease lease) {
        lease.returned = true;
        if (lease.stopped) {
            endNotifying(lock, lease);
        }
    }

    private static void endNotifying(LockState lock, HeldLease lease) {
        if (lease.notifyUntil > 0) {
            lock.took(Transition.LEASE_OVER_NOTIFIED);
            lock.leases.notifying -= lease.endNotifying();
            giveUp(lock, lease);
        }
    }

    private static void giveUp(LockState lock, HeldLease lease) {
        lock.releases.withdraw(lease);
        lock.setAlarm(lease);
        ended(lock, lease);
    }
}
