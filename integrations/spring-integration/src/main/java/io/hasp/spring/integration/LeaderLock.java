package io.hasp.spring.integration;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** A lock whose last unlock ends a {@link Leadership} first. */
final class LeaderLock implements Lock {
    private final RegistryLock lock;
    private final Leadership leadership;

    LeaderLock(RegistryLock lock, Leadership leadership) {
        this.lock = lock;
        this.leadership = leadership;
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        leadership.entered();
        try {
            boolean locked = lock.tryLock(time, unit);
            if (locked) {
                begin();
            }
            return locked;
        } finally {
            leftIfFree();
        }
    }

    private void begin() {
        try {
            leadership.begins(lock.lease().orElseThrow());
        } catch (Throwable failure) {
            lock.unlock();
            throw failure;
        }
    }

    @Override
    public void unlock() {
        try {
            if (lock.holdCount() == 1) {
                leadership.revoke();
            }
        } finally {
            try {
                lock.unlock();
            } finally {
                leftIfFree();
            }
        }
    }

    private void leftIfFree() {
        if (lock.holdCount() == 0) {
            leadership.left();
        }
    }

    @Override
    public boolean tryLock() {
        throw unused();
    }

    @Override
    public void lock() {
        throw unused();
    }

    @Override
    public void lockInterruptibly() {
        throw unused();
    }

    @Override
    public Condition newCondition() {
        throw unused();
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("Spring's initiator only calls tryLock with a time, and unlock");
    }
}
