package io.hasp.redis.mutants;

import io.hasp.conformance.Timings;
import java.time.Duration;

/** Trusts its notification: what is published while its subscription is broken reaches it never, and it never asks. */
final class NoFallbackPoll extends NotifiedLock {

    NoFallbackPoll(int port) {
        super(port);
    }

    @Override
    Duration poll() {
        return Timings.longWait();
    }
}
