package io.hasp.engine.machine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.Timed;
import io.hasp.engine.threads.Nanos;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The releases of one lock that the server has not answered: of leases, and of holder ids that are not in use any more. Not thread-safe. */
final class PendingReleases {
    /** A request may be on its way for a while before its lease begins. */
    private static final long LONGEST_WAY = TimeUnit.MINUTES.toNanos(5);

    private final LockState lock;

    /** The number of unanswered releases of leases. */
    int unanswered;

    List<PendingRelease> pending = List.of();
    private boolean closed;

    PendingReleases(LockState lock) {
        this.lock = lock;
    }

    boolean answered() {
        return unanswered == 0 && pending.isEmpty();
    }

    /** Releases a holder id that is not in use any more, again and again until the server answers. */
    PendingRelease withdraw(Claim claim, Duration lease) {
        long until = lock.settings.sessions() ? Nanos.FOREVER : lock.now + Nanos.of(lease) + LONGEST_WAY;
        PendingRelease release = new PendingRelease(claim, until, lock.now);
        if (pending.isEmpty()) {
            pending = new ArrayList<>(2);
        }
        lock.effects.add(new Effect.Withdraw(release));
        pending.add(release);
        return release;
    }

    /**
     * Does the same for what a lease has left, unless the lock has to stay taken, or the lease was lost under the work that it was left
     * to: that ends by itself.
     */
    void withdraw(HeldLease lease) {
        boolean withdraws = lease.staysFor(lock.now) <= 0 && !lease.lostToWork();
        lock.queue.settled(lease, withdraws ? withdraw(lease.grant.claim(), lease.longestAsked()) : null);
    }

    /** Releases a holder id that another client waits for. After a failure the next recall leads to another release. */
    void releaseOnce(Claim claim) {
        lock.effects.add(new Effect.Withdraw(new PendingRelease(claim, lock.now, lock.now)));
    }

    boolean isPending(HolderId id) {
        for (PendingRelease release : pending) {
            if (release.claim.holder().equals(id)) {
                return true;
            }
        }
        return false;
    }

    /** Requests the releases that are in this contender's way. */
    void tryNow(Contender contender) {
        for (PendingRelease release : pending) {
            if (release.pauses() && contender.isBehind(release)) {
                tryNow(release);
            }
        }
    }

    private void tryNow(PendingRelease release) {
        lock.effects.add(new Effect.Withdraw(release));
        release.asksAt(lock.now);
        lock.setAlarm(release, Timed.NEVER);
    }

    void answered(PendingRelease release, @Nullable BackendFailure failure) {
        if (!pending.contains(release)) {
            lock.took(Transition.PENDING_ONCE);
        } else if (failure == null) {
            lock.took(Transition.PENDING_ANSWERED);
            pending.remove(release);
            lock.queue.settled(release, null);
        } else if (closed || release.over(lock.now)) {
            lock.took(Transition.PENDING_GIVEN_UP);
            pending.remove(release);
            lock.queue.settled(release, null);
            lock.effects.add(new Effect.Report(
                    new Notice.ReleaseGivenUp(lock.name, release.claim.holder(), failure.getMessage())));
        } else {
            lock.took(Transition.PENDING_FAILED);
            lock.setAlarm(release, release.nextTry(lock.now));
        }
    }

    void timePassed(PendingRelease due) {
        if (due.pauses() && pending.contains(due)) {
            lock.took(Transition.PENDING_AGAIN);
            lock.effects.add(new Effect.Withdraw(due));
            due.asksAt(lock.now);
            due.alarm = Timed.NEVER;
        }
    }

    /** The client is closed: what fails from now on is not tried again, since it ends with its lease or session. */
    void close() {
        closed = true;
        for (PendingRelease release : List.copyOf(pending)) {
            lock.setAlarm(release, Timed.NEVER);
        }
    }
}
