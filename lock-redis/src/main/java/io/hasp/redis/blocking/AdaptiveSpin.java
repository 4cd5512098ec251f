package io.hasp.redis.blocking;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Looks for an answer again and again for a moment, before the thread goes to sleep until it comes: a server nearby has
 * answered before a sleeping thread is awake. A moment not much longer than it takes to be woken bounds what can be lost. Each
 * look leaves the processor to whoever needs it. Where looking was in vain several times in a row (the server is far away, or
 * stands still), it is left out for a growing number of times. Used by one thread at a time.
 *
 * <p>After Karlin, Li, Manasse and Owicki, <em>Empirical Studies of Competitive Spinning for a Shared-Memory
 * Multiprocessor</em> (SOSP 1991).
 */
public final class AdaptiveSpin {
    private static final int PATIENCE = 3;
    private static final int MOST_DOUBLINGS = 10;

    private final long momentNanos;
    private int inVain;
    private int leftOut;

    /** One that looks for so long; never, if that is zero. */
    public AdaptiveSpin(Duration moment) {
        this.momentNanos = moment.toNanos();
    }

    /** True as soon as it is there; false if it is not there yet, or was not looked for. */
    @SuppressWarnings("ThreadPriorityCheck") // Yielding is a courtesy here; nothing relies on it.
    public boolean finds(BooleanSupplier answer) {
        if (momentNanos == 0) {
            return false;
        }
        if (leftOut > 0) {
            leftOut--;
            return false;
        }
        long start = System.nanoTime();
        do {
            if (answer.getAsBoolean()) {
                inVain = 0;
                return true;
            }
            Thread.yield();
        } while (System.nanoTime() - start < momentNanos);
        inVain++;
        if (inVain >= PATIENCE) {
            leftOut = 1 << Math.min(inVain - PATIENCE, MOST_DOUBLINGS);
        }
        return false;
    }
}
