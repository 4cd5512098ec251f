package io.hasp.engine.lease;

import io.hasp.spi.LockName;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongSupplier;

/**
 * What the locks of a client that keeps grants share. It knows the names that wander between clients: to keep them costs each use a
 * second round trip. One that was recalled twice without a use in between is not kept for its next grants, and after each further recall for
 * twice as many.
 *
 * <p>Names outlive their machines here, so they share a table of fixed size: two with the same slot are taken for one, which costs
 * round trips and nothing else. Thread-safe; an update that is lost costs as little.
 */
public final class Keeping {
    /** How many grants of a name that wanders are not kept, before it is tried again. */
    static final int NOT_KEPT = 8;

    /** The same for one that has gone on wandering: twice as many each time. */
    static final int MOST_NOT_KEPT = 64;

    private static final int SLOTS = 1 << 10;
    private static final int NEXT_BITS = 8;
    private static final int LEFT = (1 << NEXT_BITS) - 1;

    private final LongSupplier clockDifference;
    /**
     * For each slot how many grants will not be kept, and in the higher bits how many it will be after the next recall. Zero as long as
     * nobody else wanted what was kept, and again after a use of it.
     */
    private final AtomicIntegerArray slots = new AtomicIntegerArray(SLOTS);

    /**
     * Of one client.
     *
     * @param clockDifference how far the wall clock is ahead of the engine's, in nanoseconds; the wall clock is read first
     */
    public Keeping(LongSupplier clockDifference) {
        this.clockDifference = clockDifference;
    }

    /** Changes if one of the clocks stops, as the engine's may while a virtual machine is suspended, or is set. */
    public long clockDifference() {
        return clockDifference.getAsLong();
    }

    /** Whether the next grant of a name is worth keeping. */
    public boolean worthwhile(LockName name) {
        return (slots.get(slot(name)) & LEFT) == 0;
    }

    /** A grant was not asked for to be kept. */
    public void grantedPlainly(LockName name) {
        int slot = slot(name);
        int counts = slots.get(slot);
        if ((counts & LEFT) > 0) {
            slots.set(slot, counts - 1);
        }
    }

    public void reused(LockName name) {
        int slot = slot(name);
        if (slots.get(slot) != 0) {
            slots.set(slot, 0);
        }
    }

    /** Others wanted the lock while the grant was kept without a use. */
    public void recalledIdle(LockName name) {
        int slot = slot(name);
        int counts = slots.get(slot);
        int notKept = counts == 0 ? 0 : Math.max(NOT_KEPT, counts >> NEXT_BITS);
        int next = counts == 0 ? NOT_KEPT : Math.min(MOST_NOT_KEPT, 2 * notKept);
        slots.set(slot, next << NEXT_BITS | notKept);
    }

    private static int slot(LockName name) {
        int hash = name.hashCode();
        return (hash ^ (hash >>> 16)) & (SLOTS - 1);
    }
}
