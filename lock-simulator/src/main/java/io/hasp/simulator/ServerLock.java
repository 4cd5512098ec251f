package io.hasp.simulator;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One lock on the reference server: its grant and its queue. */
final class ServerLock {
    final WaitQueue waiters;

    @Nullable
    ServerGrant granted;

    ServerLock(LongSupplier clock, boolean sessions) {
        this.waiters = new WaitQueue(clock, sessions);
    }

    /** Whether the server may drop the lock, because it has no grant and no waiter. */
    boolean isUnused() {
        return granted == null && waiters.isEmpty();
    }
}
