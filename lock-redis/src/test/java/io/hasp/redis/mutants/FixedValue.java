package io.hasp.redis.mutants;

import io.hasp.conformance.servers.RedisServer;

/** Writes the same value whoever takes the lock: the comparison before the delete tells nobody apart. */
final class FixedValue extends TutorialLock {

    FixedValue(RedisServer server) {
        super(server);
    }

    @Override
    String newValue() {
        return "locked";
    }
}
