package io.hasp.engine.threads;

import io.hasp.spi.ClockMargin;
import java.time.Duration;

/** Durations in nanoseconds, as the engine counts. */
public final class Nanos {
    /** Beyond this a duration is "for ever"; small enough that sums of several can't overflow. */
    public static final long FOREVER = Long.MAX_VALUE / 8;

    private Nanos() {}

    /** Nanoseconds, saturating at {@link #FOREVER}; never negative. */
    public static long of(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(Duration.ofNanos(FOREVER)) >= 0 ? FOREVER : duration.toNanos();
    }

    /** How much earlier than the server we end a lease: clocks may run at slightly different speeds. */
    public static long drift(long nanos) {
        return ClockMargin.ofNanos(nanos);
    }
}
