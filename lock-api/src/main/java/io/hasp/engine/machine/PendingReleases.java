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

    List<OwedRelease> owed = List.of();
    private boolean closed;

    PendingReleases(LockState lock) {
        this.lock = lock;
    }

    boolean answered() {
        return unanswered == 0 && owed.isEmpty();
    }

    /** Releases a holder id that is not in use any more, again and again until the server answers. */
    OwedRelease owe(Claim claim, Duration lease) {
        long until = lock.settings.sessions() ? Nanos.FOREVER : lock.now + Nanos.of(lease) + LONGEST_WAY;
        OwedRelease release = new OwedRelease(claim, until, lock.now);
        if (owed.isEmpty()) {
            owed = new ArrayList<>(2);
        }
        lock.effects.add(new Effect.Withdraw(release));
        owed.add(release);
        return release;
    }

    /**
     * Does the same for what a lease has left, unless the lock has to stay taken, or the lease was lost under the work that it was left
     * to: that ends by itself.
     */
    void owe(HeldLease lease) {
        boolean owes = lease.staysFor(lock.now) <= 0 && !lease.lostToWork();
        lock.queue.settled(lease, owes ? owe(lease.grant.claim(), lease.longestAsked()) : null);
    }

    /** Releases a holder id that another client waits for. After a failure the next recall leads to another release. */
    void releaseOnce(Claim claim) {
        lock.effects.add(new Effect.Withdraw(new OwedRelease(claim, lock.now, lock.now)));
    }

    boolean owes(HolderId id) {
        for (OwedRelease release : owed) {
            if (release.claim.holder().equals(id)) {
                return true;
            }
        }
        return false;
    }

    /** The server answers again: what is pending and in this contender's way need not wait for its next try. */
    void tryNow(Contender contender) {
        LeaseSteps.lowerNow(lock, contender);
        for (OwedRelease release : owed) {
            if (release.pauses() && contender.isBehind(release)) {
                tryNow(release);
            }
        }
    }

    private void tryNow(OwedRelease release) {
        lock.effects.add(new Effect.Withdraw(release));
        release.asksAt(lock.now);
        lock.setAlarm(release, Timed.NEVER);
    }

    void answered(OwedRelease release, @Nullable BackendFailure failure) {
        if (!owed.contains(release)) {
            lock.took(Transition.OWED_ONCE);
        } else if (failure == null) {
            lock.took(Transition.OWED_PAID);
            owed.remove(release);
            lock.queue.settled(release, null);
        } else if (closed || release.over(lock.now)) {
            lock.took(Transition.OWED_GIVEN_UP);
            owed.remove(release);
            lock.queue.settled(release, null);
            lock.effects.add(new Effect.Report(
                    new Notice.ReleaseGivenUp(lock.name, release.claim.holder(), failure.getMessage())));
        } else {
            lock.took(Transition.OWED_FAILED);
            lock.setAlarm(release, release.nextTry(lock.now));
        }
    }

    void timePassed(OwedRelease due) {
        if (due.pauses() && owed.contains(due)) {
            lock.took(Transition.OWED_AGAIN);
            lock.effects.add(new Effect.Withdraw(due));
            due.asksAt(lock.now);
            due.alarm = Timed.NEVER;
        }
    }

    /** The client is closed: what fails from now on is not tried again, since it ends with its lease or session. */
    void close() {
        closed = true;
        for (OwedRelease release : List.copyOf(owed)) {
            lock.setAlarm(release, Timed.NEVER);
        }
    }
}
