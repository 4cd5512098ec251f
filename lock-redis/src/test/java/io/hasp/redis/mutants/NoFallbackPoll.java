package io.hasp.redis.mutants;

import io.hasp.conformance.Timings;
import io.hasp.conformance.servers.RedisServer;
import java.time.Duration;

/** Trusts its notification: what is published while its subscription is broken reaches it never, and it never asks. */
final class NoFallbackPoll extends NotifiedLock {

    NoFallbackPoll(RedisServer server) {
        super(server);
    }

    @Override
    Duration poll() {
        return Timings.longWait();
    }
}
