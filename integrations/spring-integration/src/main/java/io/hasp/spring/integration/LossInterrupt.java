package io.hasp.spring.integration;

import io.hasp.Lease;
import io.hasp.LeaseState;

/**
 * Interrupts the thread that holds a lock when its lease ends early. An interrupt that comes just before the thread
 * unlocks is taken back, and none comes later.
 */
final class LossInterrupt {
    private final Thread holder = Thread.currentThread();
    private boolean ended;
    private boolean interrupted;

    /** Watches a lease for the calling thread. If the lease has already ended, the thread is interrupted at once. */
    void watch(Lease lease) {
        lease.onChange(Runnable::run, this::changed);
    }

    private synchronized void changed(LeaseState state) {
        if (!ended && (state == LeaseState.LOST || state == LeaseState.RELEASED)) {
            interrupted = true;
            holder.interrupt();
        }
    }

    /** Called by the holder. Returns true if it took an interrupt back. */
    synchronized boolean end() {
        ended = true;
        return interrupted && Thread.interrupted();
    }

    synchronized boolean hasInterrupted() {
        return interrupted;
    }
}
