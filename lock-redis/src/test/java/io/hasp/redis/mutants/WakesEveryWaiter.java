package io.hasp.redis.mutants;

import io.hasp.conformance.Timings;
import io.hasp.conformance.servers.RedisServer;
import java.time.Duration;

/** Publishes a release to all who wait: each of them asks, and all but one for nothing. */
final class WakesEveryWaiter extends NotifiedLock {

    WakesEveryWaiter(RedisServer server) {
        super(server);
    }

    @Override
    Duration poll() {
        return Timings.units(5);
    }
}
