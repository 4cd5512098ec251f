package io.hasp.spring.locked;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.locked.spi.LeaseCheck;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/** The fences of the clients whose locks are in a database of the application. Thread-safe. */
public final class TransactionFences implements LeaseCheck {

    /** Checks a lease inside of the calling thread's transaction. */
    @FunctionalInterface
    public interface Fence {

        /**
         * Checks a lease, if the thread has a transaction in the database that has the locks.
         *
         * @param lease of a lock in that database
         * @throws io.hasp.LeaseLostException if the lease was lost, or another holder has begun
         */
        void check(Lease lease);
    }

    private final Map<LockClient, Fence> ofClients = Collections.synchronizedMap(new WeakHashMap<>());

    public TransactionFences() {}

    /** Adds the fence of a client. */
    public void add(LockClient client, Fence fence) {
        ofClients.put(client, fence);
    }

    @Override
    public void ensureHeld(LockClient client, Lease lease) {
        lease.ensureHeld();
        Fence fence = ofClients.get(client);
        if (fence != null) {
            fence.check(lease);
        }
    }
}
