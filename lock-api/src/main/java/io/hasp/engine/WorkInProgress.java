package io.hasp.engine;

import io.hasp.spi.LockName;

/** Work under the leases of one client, as far as the client knows its threads. Thread-safe. */
public interface WorkInProgress {
    /** Whether the calling thread itself acquired the lease, or runs the work under it: that work can't end while the thread waits. */
    boolean isOwn(HeldLease lease);

    /** Interrupts work that is to be interrupted on a loss; without effect on other work. */
    void interrupt(HeldLease lease);

    /** Names the lock, the thread that acquired it and the place where it did, for logs. */
    String describe(LockName name, HeldLease lease);
}
