package io.hasp.redis.mutants;

import io.hasp.conformance.Timings;
import java.time.Duration;

/** Publishes a release to all waiters: each of them asks, and all but one for nothing. */
final class WakesEveryWaiter extends NotifiedLock {

    WakesEveryWaiter(int port) {
        super(port);
    }

    @Override
    Duration poll() {
        return Timings.units(5);
    }
}
