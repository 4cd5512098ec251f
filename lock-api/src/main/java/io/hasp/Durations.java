package io.hasp;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Checks the durations that users give, such as leases and waits. */
final class Durations {
    static final Duration SHORTEST_LEASE = Duration.ofMillis(10);
    static final Duration LONGEST_LEASE = Duration.ofDays(365);

    private Durations() {}

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

    static Duration notNegative(String what, @Nullable Duration duration) {
        if (duration == null || duration.isNegative()) {
            throw new InvalidArgumentException(what + " is " + duration + ": it must be zero or positive");
        }
        return duration;
    }
}
