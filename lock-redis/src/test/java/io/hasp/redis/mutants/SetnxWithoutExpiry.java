package io.hasp.redis.mutants;

import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.time.Duration;

/** Takes the lock without an expiry: the lock of a client that dies is never free again. */
final class SetnxWithoutExpiry extends TutorialLock {

    SetnxWithoutExpiry(int port) {
        super(port);
    }

    @Override
    boolean take(RespConnection redis, String key, String value, Duration lease) throws IOException {
        return redis.integer("SETNX", key, value) == 1;
    }
}
