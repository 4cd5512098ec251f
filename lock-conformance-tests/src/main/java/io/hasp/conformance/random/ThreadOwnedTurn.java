package io.hasp.conformance.random;

import io.hasp.DistributedLock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** A step through the view for threads: taken, perhaps entered again, and unlocked as often. */
final class ThreadOwnedTurn {
    private final Run run;
    private final Step step;
    private final DistributedLock lock;
    private final Holding holding;

    ThreadOwnedTurn(Run run, Step step, DistributedLock lock, Holding holding) {
        this.run = run;
        this.step = step;
        this.lock = lock;
        this.holding = holding;
    }

    void run() throws InterruptedException {
        if (!taken(lock.asLock())) {
            holding.refused();
            return;
        }
        holding.granted();
        int entered = 1;
        for (int i = 0; i < step.again(); i++) {
            entered += again(i) ? 1 : 0;
        }
        holding.hold();
        holding.releasing();
        boolean held = true;
        while (entered-- > 0) {
            held &= unlocked();
        }
        holding.released(held);
    }

    private boolean taken(Lock view) throws InterruptedException {
        switch (step.call()) {
            case LOCK -> view.lock();
            case LOCK_INTERRUPTIBLY -> view.lockInterruptibly();
            case TRY_LOCK -> {
                return view.tryLock();
            }
            case TRY_LOCK_FOR -> {
                return view.tryLock(step.patience().toNanos(), TimeUnit.NANOSECONDS);
            }
            default -> throw new AssertionError("not a call of this view: " + step.call());
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
                run.broken("tryLock() refused a thread its own lock: " + step.words());
                return false;
            }
            return true;
        } catch (IllegalMonitorStateException e) {
            holding.judgeLoss("re-entry", e);
            return false;
        }
    }

    private boolean unlocked() {
        try {
            lock.asLock().unlock();
            return true;
        } catch (IllegalMonitorStateException e) {
            holding.judgeLoss("unlock", e);
            return false;
        }
    }
}
