package io.hasp.redis.blocking;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Spins on a reply for a short time, before the thread sleeps until the reply comes. A nearby server answers sooner than a
 * sleeping thread wakes. The time is not much longer than a wake-up takes, which bounds the loss. Each look yields the processor.
 * After several looks in a row without a reply (the server is far away, or stands still), a growing number of calls skip the
 * spin. Used by one thread at a time.
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

    /** Creates a spin of this length; zero never spins. */
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
