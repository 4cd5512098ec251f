package io.hasp.locked.spi;

import io.hasp.Lease;
import io.hasp.LockClient;

/** Checks a lease right before the operation around a call of a {@link io.hasp.locked.Locked} method ends, such as a commit. Thread-safe. */
@FunctionalInterface
public interface LeaseCheck {
    /** Checks the client's own state of the lease, without a request. */
    LeaseCheck LOCAL = (client, lease) -> lease.ensureHeld();

    /**
     * Checks a lease. Called on the calling thread of the method.
     *
     * @param client the client that has the lease
     * @param lease of one lock
     * @throws io.hasp.LeaseLostException if the lease was lost or released
     */
    void ensureHeld(LockClient client, Lease lease);
}
