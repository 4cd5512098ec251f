package io.hasp.engine.threads;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Makes a store of one thread be seen late by another, as memory allows without a volatile field: stores to memory that no cache
 * holds wait in the processor's buffer, those after them wait behind, and loads overtake them all. The other thread
 * begins when it sees the first of these stores, at a moment that differs from round to round. Made anew for each round.
 */
public final class LateStores {
    private static final int[] MEMORY = new int[1 << 24];
    /** Fewer than a buffer holds. */
    private static final int STORES = 32;

    private static int random;

    private final AtomicBoolean begun = new AtomicBoolean();

    /** By the one whose next store is to be seen late. */
    public void store() {
        begun.setRelease(true);
        for (int i = 0; i < STORES; i++) {
            random = random * 1_103_515_245 + 12_345;
            MEMORY[random >>> 8] = i;
        }
    }

    /** By the other. Yields where the first one needs the processor. */
    @SuppressWarnings("ThreadPriorityCheck")
    public void await(int spins) {
        for (int i = 0; !begun.get(); i++) {
            if (i > 1_000) {
                Thread.yield();
            }
        }
        for (int i = 0; i < spins; i++) {
            Thread.onSpinWait();
        }
    }
}
