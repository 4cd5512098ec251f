package io.hasp.redis.mutants;

import java.util.Set;

/** Promises to hold the lock for as long as its client lives, and lets it expire without a renewal. */
final class ExpiryWithoutWatchdog extends TutorialLock {

    ExpiryWithoutWatchdog(int port) {
        super(port);
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.FIXED_LEASE, Claimed.RENEWAL);
    }
}
