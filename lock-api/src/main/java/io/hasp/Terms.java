package io.hasp;

import java.time.Duration;
import java.util.Optional;

/** How one lock is held: its own options, with the client's in place of what they leave open. */
record Terms(LockOptions options, ClientOptions defaults) {

    /** How long the server is asked to keep the lock. */
    Duration lease() {
        return options.lease().orElse(defaults.lease());
    }

    /** Whether it is renewed for as long as it is held, so that the lease of one holder is as good as another's. */
    boolean renewed() {
        return options.lease().isEmpty();
    }

    /** When a lease that begins at that moment ends, whatever the server confirms. */
    long cap(long from) {
        long cap = from + Durations.FOREVER;
        if (options.lease().isPresent()) {
            long lease = Durations.nanos(options.lease().get());
            cap = from + lease - Durations.drift(lease);
        }
        Optional<Duration> maxHold = options.maxHold().or(defaults::maxHold);
        return maxHold.isPresent() ? Math.min(cap, from + Durations.nanos(maxHold.get())) : cap;
    }
}
