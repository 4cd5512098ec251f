package io.hasp.conformance.random;

import io.hasp.DistributedLock;
import io.hasp.LockClient;
import io.hasp.ReentrantDistributedReadWriteLock;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.conformance.LockMode;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * Executes a planned call through the view for threads: locks, possibly re-enters, and unlocks as often. A writer that
 * also locked for reading may unlock its write lock and continue to read. A reader may request to write, in vain.
 */
final class ThreadOwnedExecution {
    private final RandomRun run;
    private final PlannedCall planned;
    private final LockClient client;
    private final DistributedLock lock;
    private final ObservedHold observed;

    ThreadOwnedExecution(
            RandomRun run, PlannedCall planned, LockClient client, DistributedLock lock, ObservedHold observed) {
        this.run = run;
        this.planned = planned;
        this.client = client;
        this.lock = lock;
        this.observed = observed;
    }

    void run() throws InterruptedException {
        if (!taken(lock.asReentrantLock())) {
            observed.refused();
            return;
        }
        observed.granted();
        int entered = 1;
        for (int i = 0; i < planned.again(); i++) {
            entered += again(i) ? 1 : 0;
        }
        if (planned.mode().upgrade()) {
            upgrade();
        }
        observed.hold();
        boolean reads = planned.mode().mode().equals(LockMode.WRITE)
                && planned.mode().less().isPresent()
                && lockedForReading();
        observed.releasing();
        if (reads) {
            downgrade(entered);
        } else {
            observed.released(unlocked(lock.asReentrantLock(), entered));
        }
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
        Lock view = lock.asReentrantLock();
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

    private ReentrantDistributedReadWriteLock readWriteLock() {
        return client.readWriteLock(run.lock(planned.lock()), planned.options()).asReadWriteLock();
    }

    private void upgrade() {
        try {
            boolean locked = readWriteLock().writeLock().tryLock();
            run.broken("a thread that reads was answered " + locked + " when it asked to write: " + planned.words());
        } catch (UnsupportedCapabilityException e) {
            run.count("upgrade refused");
        }
    }

    private boolean lockedForReading() {
        try {
            readWriteLock().readLock().lock();
            return true;
        } catch (IllegalMonitorStateException e) {
            observed.judgeLoss("re-entry for reading", e);
            return false;
        }
    }

    /** The last unlock for writing leaves a hold for reading. */
    private void downgrade(int entered) {
        ObservedHold rest = observed.goesOn(LockMode.READ);
        try {
            if (unlocked(lock.asReentrantLock(), entered)) {
                rest.goesOn(observed);
                rest.hold();
                rest.releasing();
                rest.released(unlocked(readWriteLock().readLock(), 1));
                return;
            }
        } catch (RuntimeException | Error e) {
            rest.failed(e);
            throw e;
        }
        boolean held = unlocked(readWriteLock().readLock(), 1);
        if (held) {
            run.broken(
                    "a lock that was lost while it was held for writing was unlocked for reading: " + planned.words());
        }
        IllegalStateException lost = new IllegalStateException("lost before it went on reading");
        rest.failed(lost);
        observed.failed(lost);
    }

    private boolean unlocked(Lock view, int times) {
        boolean held = true;
        for (int i = 0; i < times; i++) {
            try {
                view.unlock();
            } catch (IllegalMonitorStateException e) {
                observed.judgeLoss("unlock", e);
                held = false;
            }
        }
        return held;
    }
}
