package io.hasp.engine.threads;

import io.hasp.spi.ClockMargin;
import java.time.Duration;

/** Durations in nanoseconds, as the engine counts. */
public final class Nanos {
    /** Longer durations count as unlimited; small enough that sums of several can't overflow. */
    public static final long FOREVER = Long.MAX_VALUE / 8;

    private Nanos() {}

    /** Nanoseconds, saturating at {@link #FOREVER}; never negative. */
    public static long of(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(Duration.ofNanos(FOREVER)) >= 0 ? FOREVER : duration.toNanos();
    }

    /** The time by which a client ends a lease earlier than the server: clocks may run at slightly different speeds. */
    public static long drift(long nanos) {
        return ClockMargin.ofNanos(nanos);
    }
}
