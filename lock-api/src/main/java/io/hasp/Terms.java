package io.hasp;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** How one lock is held: its own options, with the client's in place of what they leave open. */
record Terms(LockOptions options, ClientOptions defaults) {
    private static final Duration LONGEST = Duration.ofNanos(Durations.FOREVER);

    /** How long the server is asked to keep the lock. */
    Duration lease() {
        return wholeMilliseconds(options.lease(defaults.renewedLease()));
    }

    /** What every server can tell, rounded up: a lease never ends there before its time. */
    static Duration wholeMilliseconds(Duration lease) {
        Duration whole = lease.truncatedTo(ChronoUnit.MILLIS);
        return whole.equals(lease) ? lease : whole.plusMillis(1);
    }

    /** Whether it is renewed for as long as it is held. */
    boolean renewed() {
        return options.fixedLease().isEmpty();
    }

    /** When a lease that begins at that moment ends, whatever the server confirms. */
    long cap(long from) {
        long cap = from + Durations.FOREVER;
        if (options.fixedLease().isPresent()) {
            long lease = Durations.nanos(options.fixedLease().get());
            cap = from + lease - Durations.drift(lease);
        }
        return Math.min(cap, from + Durations.nanos(maxHold().orElse(LONGEST)));
    }

    Optional<Duration> maxHold() {
        return options.maxHold().or(defaults::maxHold);
    }
}
