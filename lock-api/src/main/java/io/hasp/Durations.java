package io.hasp;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The rules for durations that users give, and their arithmetic in nanoseconds. */
final class Durations {
    /** Beyond this a duration is "for ever"; small enough that sums of several can't overflow. */
    static final long FOREVER = Long.MAX_VALUE / 8;

    static final Duration SHORTEST_LEASE = Duration.ofMillis(10);
    static final Duration LONGEST_LEASE = Duration.ofDays(365);

    private Durations() {}

    /** Nanoseconds, saturating at {@link #FOREVER}; never negative. */
    static long nanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(Duration.ofNanos(FOREVER)) >= 0 ? FOREVER : duration.toNanos();
    }

    static Duration wait(@Nullable Duration wait) {
        if (wait == null || wait.isNegative()) {
            throw new InvalidArgumentException("wait is " + wait + ": it must be zero (one attempt) or positive");
        }
        return wait;
    }

    static Duration lease(String what, @Nullable Duration lease) {
        if (lease == null || lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new InvalidArgumentException(
                    what + " is " + lease + ": it must be from " + SHORTEST_LEASE + " to " + LONGEST_LEASE);
        }
        return lease;
    }

    static Duration positive(String what, @Nullable Duration duration) {
        if (duration == null || duration.isNegative() || duration.isZero()) {
            throw new InvalidArgumentException(what + " is " + duration + ": it must be positive");
        }
        return duration;
    }

    /** How much earlier than the server we end a lease: clocks may run at slightly different speeds. */
    static long drift(long nanos) {
        return nanos / 100 + 2_000_000;
    }
}
