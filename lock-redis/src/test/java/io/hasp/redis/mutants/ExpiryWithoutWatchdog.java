package io.hasp.redis.mutants;

import io.hasp.conformance.servers.RedisServer;
import java.util.Set;

/** Promises to hold the lock for as long as its client lives, and lets it expire: nobody renews it. */
final class ExpiryWithoutWatchdog extends TutorialLock {

    ExpiryWithoutWatchdog(RedisServer server) {
        super(server);
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.FIXED_LEASE, Claimed.RENEWAL);
    }
}
