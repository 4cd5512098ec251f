package io.hasp.engine.lease;

import io.hasp.spi.LockName;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongSupplier;

/**
 * Shared by the locks of a client that keeps grants: it learns which names move between clients, for which keeping costs a second round
 * trip per use. After two recalls of a name without a use in between, its next grants are not kept; after each further recall twice as
 * many.
 *
 * <p>Names outlive their machines here, so they share a table of fixed size. Two names in one slot count as one, which costs round trips
 * and nothing else. Thread-safe; a lost update costs as little.
 */
public final class Keeping {
    /** The number of grants of a moving name that are not kept before the next try. */
    static final int NOT_KEPT = 8;

    /** The largest such number: it doubles with each further recall. */
    static final int MOST_NOT_KEPT = 64;

    private static final int SLOTS = 1 << 10;
    private static final int NEXT_BITS = 8;
    private static final int LEFT = (1 << NEXT_BITS) - 1;

    private final LongSupplier clockDifference;
    /**
     * Per slot the number of next grants that are not kept, and in the higher bits that number after the next recall. Zero until another
     * client wants a kept grant, and again after a use.
     */
    private final AtomicIntegerArray slots = new AtomicIntegerArray(SLOTS);

    /**
     * The keeping of one client.
     *
     * @param clockDifference the lead of the wall clock over the engine's, in nanoseconds; the wall clock is read first
     */
    public Keeping(LongSupplier clockDifference) {
        this.clockDifference = clockDifference;
    }

    /**
     * The lead of the wall clock over the engine's. It changes if one of them is set or stops, as the engine's may while a virtual machine
     * is suspended.
     */
    public long clockDifference() {
        return clockDifference.getAsLong();
    }

    /** True if the next grant of a name is worth keeping. */
    public boolean worthwhile(LockName name) {
        return (slots.get(slot(name)) & LEFT) == 0;
    }

    /** Notes a grant that was requested without keeping. */
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

    /** Notes that another client wanted the lock while the grant was kept unused. */
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
