package io.hasp.conformance.random;

import io.hasp.DistributedLock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** A planned call through the view for threads: taken, perhaps entered again, and unlocked as often. */
final class ThreadOwnedExecution {
    private final RandomRun run;
    private final PlannedCall planned;
    private final DistributedLock lock;
    private final ObservedHold observed;

    ThreadOwnedExecution(RandomRun run, PlannedCall planned, DistributedLock lock, ObservedHold observed) {
        this.run = run;
        this.planned = planned;
        this.lock = lock;
        this.observed = observed;
    }

    void run() throws InterruptedException {
        if (!taken(lock.asLock())) {
            observed.refused();
            return;
        }
        observed.granted();
        int entered = 1;
        for (int i = 0; i < planned.again(); i++) {
            entered += again(i) ? 1 : 0;
        }
        observed.hold();
        observed.releasing();
        boolean held = true;
        while (entered-- > 0) {
            held &= unlocked();
        }
        observed.released(held);
    }

    private boolean taken(Lock view) throws InterruptedException {
        switch (planned.call()) {
            case LOCK -> view.lock();
            case LOCK_INTERRUPTIBLY -> view.lockInterruptibly();
            case TRY_LOCK -> {
                return view.tryLock();
            }
            case TRY_LOCK_FOR -> {
                return view.tryLock(planned.patience().toNanos(), TimeUnit.NANOSECONDS);
            }
            default -> throw new AssertionError("not a call of this view: " + planned.call());
        }
        return true;
    }

    /** Every view of the name counts together, so another one will do. */
    private boolean again(int round) {
        Lock view = lock.asLock();
        try {
            if (round % 2 == 0) {
                view.lock();
                return true;
            }
            if (!view.tryLock()) {
                run.broken("tryLock() refused a thread its own lock: " + planned.words());
                return false;
            }
            return true;
        } catch (IllegalMonitorStateException e) {
            observed.judgeLoss("re-entry", e);
            return false;
        }
    }

    private boolean unlocked() {
        try {
            lock.asLock().unlock();
            return true;
        } catch (IllegalMonitorStateException e) {
            observed.judgeLoss("unlock", e);
            return false;
        }
    }
}
