package io.hasp.engine;

import io.hasp.spi.LockName;
import java.util.function.Predicate;

/** Work under the leases of one client, as far as the client knows its threads. Thread-safe. */
public interface WorkInProgress {
    /** Whether one of those threads acquired the lease, or begins the work under it: that work can't end while the thread waits. */
    boolean isOf(Predicate<Thread> threads, HeldLease lease);

    /** Interrupts the thread that works under the lease, if it is to be interrupted on a loss; false if there is none. */
    boolean interrupt(HeldLease lease);

    /** Names the lock, the thread that acquired it and the place where it did, for logs. */
    String describe(LockName name, HeldLease lease);
}
