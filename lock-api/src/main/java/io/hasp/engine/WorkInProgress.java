package io.hasp.engine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.spi.LockName;
import java.util.Set;
import java.util.function.Predicate;

/** Work under the leases of one client, as far as the client knows its threads. Thread-safe. */
public interface WorkInProgress {
    /**
     * Finds the leases whose work can't end before the client is closed: a thread acquired the lease, or begins the work under it, and waits
     * for the close, or for the end of the process.
     *
     * @param closing the threads that close the client
     */
    Predicate<HeldLease> stuck(Set<Thread> closing);

    /** Interrupts the thread that works under the lease, if it is to be interrupted on a loss; false if there is none. */
    boolean interrupt(HeldLease lease);

    /** Describes the lock, the thread that acquired it and the place in its code, for logs. */
    String describe(LockName name, HeldLease lease);
}
