package io.hasp.simulator.server;

import io.hasp.spi.HolderId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One lock on the reference server: its grants and its queue. */
final class ServerLock {
    final int capacity;
    final WaitQueue waiters;
    /** The grants whose end is not noticed yet, the oldest first. */
    final List<ServerGrant> granted = new ArrayList<>(1);

    ServerLock(int capacity, LongSupplier clock, boolean sessions) {
        this.capacity = capacity;
        this.waiters = new WaitQueue(clock, sessions);
    }

    /** True if the lock has no grant and no waiter, so that the server may drop it. */
    boolean isUnused() {
        return granted.isEmpty() && waiters.isEmpty();
    }

    /** The grant of a holder; null if it has none. */
    @Nullable
    ServerGrant grantOf(HolderId holder) {
        for (ServerGrant one : granted) {
            if (one.isOf(holder)) {
                return one;
            }
        }
        return null;
    }

    /** The part of the lock that no grant takes. */
    int free() {
        int free = capacity;
        for (ServerGrant one : granted) {
            free -= one.weight;
        }
        return free;
    }
}
